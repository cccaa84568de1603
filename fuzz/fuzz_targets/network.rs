//! Any text as a network: it is refused, or is connected and reads the same again.
#![no_main]

use hustings::model::topology::{NetworkFile, Ports};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(network) = NetworkFile::parse("fuzz", text) else { return };
    let nodes = network.graph.nodes() as u32;
    assert!(nodes > 0 && network.graph.is_connected(), "{text}");
    let mut written = String::new();
    for node in 0..nodes {
        if let Some(ids) = &network.ids {
            written += &format!("id {node} {}\n", ids[node as usize]);
        }
        for other in network.graph.neighbours(node).filter(|&other| node < other) {
            written += &format!("{node} {other}\n");
        }
    }
    // A single node without an ID has no line.
    if !written.is_empty() {
        let again = NetworkFile::parse("fuzz", &written).expect("it reads as it is written");
        assert_eq!(again.graph.edges(), network.graph.edges(), "{written}");
        assert_eq!(again.ids, network.ids, "{written}");
    }
});
