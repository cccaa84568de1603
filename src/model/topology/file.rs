//! A network from a file: `u v` for an edge, `id u ID` for an ID, `#` for a remark.

use std::collections::{BTreeMap, HashMap};

use super::graph::Graph;
use crate::model::error::Input;
use crate::model::process::Id;

/// A network from a file, with the IDs that the file gives to all nodes or to none.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkFile {
    /// The name of the file.
    pub path: String,
    /// What it says.
    pub text: String,
    /// The network.
    pub graph: Graph,
    /// The IDs by node.
    pub ids: Option<Vec<Id>>,
}

/// Node numbers above this are surely a mistake.
const LARGEST_NODE: u32 = 100_000_000;

impl NetworkFile {
    /// The network of a file with this name and text; refuses what is none, and says in which line.
    pub fn parse(path: &str, text: &str) -> Result<Self, Input> {
        let (graph, ids) = parse(text).map_err(|(line, problem, remedy)| {
            let input = Input::new("topology", format!("file:{path}"), problem, remedy);
            Input { place: line.map(|line| format!("{path}, line {line}")), ..input }
        })?;
        Ok(NetworkFile { path: path.to_owned(), text: text.to_owned(), graph, ids })
    }
}

/// The line, where there is one, what is wrong, and what to do.
type Problem = (Option<usize>, String, &'static str);

fn parse(text: &str) -> Result<(Graph, Option<Vec<Id>>), Problem> {
    let mut lines = Lines::default();
    for (number, line) in (1..).zip(text.lines()) {
        lines.take(number, line)?;
    }
    lines.network()
}

/// What the lines so far have said.
#[derive(Default)]
struct Lines {
    edges: Vec<(u32, u32)>,
    ids: BTreeMap<u32, Id>,
    /// In which line an edge or an ID stands.
    edge_lines: HashMap<(u32, u32), usize>,
    id_lines: HashMap<Id, usize>,
    /// One more than the largest node.
    n: u32,
}

impl Lines {
    fn take(&mut self, number: usize, line: &str) -> Result<(), Problem> {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => Ok(()),
            ["id", node, id] => self.take_id(number, node, id),
            [a, b] => self.take_edge(number, a, b),
            _ => {
                let problem = format!("{:?} is neither an edge nor an ID", line.trim());
                let remedy = "write an edge as '0 1' and an ID as 'id 0 17'";
                Err((Some(number), problem, remedy))
            }
        }
    }

    fn node(&mut self, number: usize, word: &str) -> Result<u32, Problem> {
        match word.parse::<u32>() {
            Ok(node) if node <= LARGEST_NODE => {
                self.n = self.n.max(node + 1);
                Ok(node)
            }
            _ => {
                let problem = format!("{word:?} is not a node from 0 to {LARGEST_NODE}");
                Err((Some(number), problem, "number the nodes from 0 on"))
            }
        }
    }

    fn take_id(&mut self, number: usize, node: &str, id: &str) -> Result<(), Problem> {
        let refuse = |problem: String, remedy| Err((Some(number), problem, remedy));
        let node = self.node(number, node)?;
        let Ok(id) = id.parse::<Id>() else {
            let problem = format!("{id:?} is not an ID from 0 to {}", Id::MAX);
            return refuse(problem, "write it as id 3 17");
        };
        if self.ids.insert(node, id).is_some() {
            return refuse(format!("node {node} has an ID already"), "remove one of them");
        }
        if let Some(other) = self.id_lines.insert(id, number) {
            let problem = format!("the ID {id} stands in line {other} too");
            return refuse(problem, "give every node an ID of its own");
        }
        Ok(())
    }

    fn take_edge(&mut self, number: usize, a: &str, b: &str) -> Result<(), Problem> {
        let refuse = |problem: String, remedy| Err((Some(number), problem, remedy));
        let (a, b) = (self.node(number, a)?, self.node(number, b)?);
        if a == b {
            return refuse(format!("node {a} is linked to itself"), "remove the line");
        }
        if let Some(other) = self.edge_lines.insert((a.min(b), a.max(b)), number) {
            let problem = format!("the edge {a} {b} stands in line {other} too");
            return refuse(problem, "remove one of them");
        }
        self.edges.push((a, b));
        Ok(())
    }

    /// The network of all lines, if it is one.
    fn network(self) -> Result<(Graph, Option<Vec<Id>>), Problem> {
        let Lines { edges, ids, n, .. } = self;
        let refuse = |problem: String, remedy| Err((None, problem, remedy));
        if n == 0 {
            let problem = "the file names no node".to_owned();
            return refuse(problem, "write an edge 'u v' a line, nodes from 0 on");
        }
        // A connected graph has at least n - 1 edges: no memory for numbers without nodes.
        if edges.len() + 1 < n as usize {
            let problem = format!("{} edges cannot connect the nodes 0 to {}", edges.len(), n - 1);
            return refuse(problem, "add edges, and number the nodes from 0 without gaps");
        }
        let graph = Graph::new(n, &edges);
        if !graph.is_connected() {
            let problem = "the network is in pieces".to_owned();
            return refuse(problem, "add edges until every node can be reached");
        }
        if !ids.is_empty() && ids.len() < n as usize {
            let missing = (0..n).find(|node| !ids.contains_key(node)).unwrap_or(0);
            let problem = format!("node {missing} has no ID, though others have");
            return refuse(problem, "give an ID to every node or to none");
        }
        let ids = (!ids.is_empty()).then(|| ids.into_values().collect());
        Ok((graph, ids))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_and_ids_are_read() {
        let text = "# a triangle with a tail\n0 1\n2 1\n\n0 2 # closes it\n3 2\n";
        let (graph, ids) = parse(text).expect("good");
        assert_eq!(graph, Graph::new(4, &[(0, 1), (1, 2), (0, 2), (2, 3)]));
        assert_eq!(ids, None);
        let (_, ids) = parse("0 1\nid 1 5\nid 0 9\n").expect("good");
        assert_eq!(ids, Some(vec![9, 5]));
        assert_eq!(parse("id 0 3\n").expect("one node").0, Graph::new(1, &[]));
    }

    #[test]
    fn what_is_no_network_is_refused_with_its_line() {
        for (text, line, word) in [
            ("0 1\n1 1\n", Some(2), "itself"),
            ("0 1\n1 2\n1 0\n", Some(3), "line 1"),
            ("0 1\n0 x\n", Some(2), "not a node"),
            ("0 1\n0 4294967295\n", Some(2), "not a node"),
            ("0 1 2 3\n", Some(1), "neither"),
            ("0 1\nid 0 5\nid 1 5\n", Some(3), "line 2"),
            ("0 1\nid 0 5\nid 0 6\n", Some(3), "already"),
            ("0 1\nid 0 -5\n", Some(2), "not an ID"),
            ("0 1\n2 3\n", None, "cannot connect"),
            ("0 1\n2 3\n3 4\n2 4\n", None, "pieces"),
            ("0 1\nid 0 5\n", None, "has no ID"),
            ("# nothing\n", None, "no node"),
        ] {
            let (found, problem, _) = parse(text).expect_err(text);
            assert_eq!(found, line, "{text:?}");
            assert!(problem.contains(word), "{text:?}: {problem}");
        }
    }
}
