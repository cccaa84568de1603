//! Figures of whole results folders: what is on them, that nothing overlaps, and that they are the
//! same every time.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use hustings::algorithm::graph::Ghs;
use hustings::algorithm::{Announced, On, Tree};
use hustings::engine::{Entry, Registry};
use hustings::experiment::key::CellKey;
use hustings::experiment::spec::Spec;
use hustings::results::Results;
use hustings::results::batch::{self, Options};
use hustings::show::figure::{Choice, Drawn, FIGURES, Figure, Width, draw, draw_chosen, draw_one};
use hustings::summarise::Summary;
use roxmltree::{Document, Node};
use ttf_parser::Face;

use crate::common::REGISTRY;
use crate::seal::seal;

/// A bit of everything: several algorithms, sizes and layouts.
const RICH: &str = "name = 'rich'\nseed = 7\nruns = 60\naudit = 0
    [[grid]]
    algorithms = ['chang-roberts', 'clockwise', 'hirschberg-sinclair', 'lelann', 'peterson',
        'time-slice', 'variable-speeds', 'anonymous']
    n = '8..128'
    [[grid]]
    algorithms = ['chang-roberts', 'hirschberg-sinclair', 'peterson']
    n = '8..128'
    layouts = ['best', 'worst', 'organ-pipe']
    runs = 1
    [[grid]]
    algorithms = ['chang-roberts', 'peterson']
    n = [16, 32]
    timing = 'uniform:0..1'";

/// Trees and graphs, and some rings among them: an algorithm that runs on all, and two settings.
const NETWORKS: &str = "name = 'nets'\nseed = 5\nruns = 30\naudit = 0
    [[grid]]
    algorithms = ['tree-wakeup', 'tree-waves', 'tree-frugal']
    topologies = ['path', 'star', 'random-tree']
    n = [9, 16, 36, 64]
    [[grid]]
    algorithms = ['echo-election', 'adoption', 'ghs', 'kkm', 'dfs-path']
    topologies = ['random-tree', 'torus', 'erdos-renyi']
    n = [9, 16, 36, 64]
    [[grid]]
    algorithms = ['echo-election', 'ghs']
    topologies = ['ring', 'torus']
    n = [9, 16]
    initiators = 'one'";

/// Every algorithm on rings, and small sizes.
fn every_algorithm() -> String {
    let on_rings = REGISTRY.entries().iter().filter(|entry| entry.model.on == On::Rings);
    let names: Vec<String> = on_rings.map(|entry| format!("'{}'", entry.name)).collect();
    format!("name = 'all'\nruns = 40\nn = [4, 8, 12, 16]\nalgorithms = [{}]", names.join(", "))
}

/// Runs a spec into a folder.
fn run(text: &str, folder: &Path) -> PathBuf {
    let spec = Spec::parse(text, "test.toml", "test", &REGISTRY).expect("a good spec");
    let options = Options { threads: Some(1), ..Options::default() };
    batch::run(&spec, folder, &options, &()).expect("it runs");
    folder.to_owned()
}

fn drawn(folder: &Path) -> Drawn {
    let results = Results::open(folder, &REGISTRY).expect("a results folder");
    draw(&results, &Summary::of(&results).expect("good results")).expect("it can be drawn")
}

/// Runs a spec and draws all.
fn draw_spec(text: &str) -> Drawn {
    let folder = tempfile::tempdir().expect("a folder");
    drawn(&run(text, &folder.path().join("out")))
}

/// Runs a spec and draws all in both widths; every text has its place, and in a column every letter the
/// size that can be read. Gives those as wide as a page.
fn draw_checked(text: &str) -> Drawn {
    let folder = tempfile::tempdir().expect("a folder");
    let out = run(text, &folder.path().join("out"));
    let results = Results::open(&out, &REGISTRY).expect("a results folder");
    let summary = Summary::of(&results).expect("good results");
    let mut choice = Choice::default();
    choice.width = Width::Column;
    let narrow = draw_chosen(&results, &summary, None, &choice).expect("it can be drawn");
    check_texts(&narrow);
    for figure in &narrow.figures {
        let svg = svg(figure);
        let document = Document::parse(&svg).expect("an SVG");
        let wide: f64 = texts(figure).1;
        for node in document.descendants() {
            let Some(size) = node.attribute("font-size") else { continue };
            let pixels: f64 = size.parse().expect("a number");
            // 3.4 inches of 72 points.
            let points = pixels * 3.4 * 72.0 / wide;
            assert!(points >= 6.0, "{}: letters of {points} points", figure.name);
        }
    }
    let page = draw(&results, &summary).expect("it can be drawn");
    check_texts(&page);
    assert_eq!(names(&page), names(&narrow));
    page
}

/// Adds to the messages of all runs of an algorithm.
fn spoil(folder: &Path, algorithm: &str, more: u64) {
    let path = folder.join("runs.csv");
    let text = std::fs::read_to_string(&path).expect("runs");
    let lines = text.lines().map(|line| {
        let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        if fields[0] == algorithm {
            let messages: u64 = fields[8].parse().expect("digits");
            fields[8] = (messages + more).to_string();
        }
        fields.join(",") + "\n"
    });
    std::fs::write(&path, lines.collect::<String>()).expect("written");
    seal(folder);
}

/// The font of all figures.
fn font() -> Face<'static> {
    Face::parse(include_bytes!("../../data/fonts/DejaVuSans-subset.ttf"), 0).expect("a font")
}

/// The width of a text in the font of the figures.
fn width(text: &str, size: f64) -> f64 {
    let font = font();
    let glyphs = text.chars().map(|letter| font.glyph_index(letter).unwrap_or_default());
    let units: u32 = glyphs.filter_map(|glyph| font.glyph_hor_advance(glyph)).map(u32::from).sum();
    f64::from(units) / f64::from(font.units_per_em()) * size
}

/// Whether the font of the figures has every letter of a text.
fn has_letters(text: &str) -> bool {
    let font = font();
    text.chars().all(|letter| font.glyph_index(letter).is_some())
}

/// What is shown of these algorithms at this size.
fn choice(algorithms: &[&str], n: u64) -> Choice {
    let mut choice = Choice::default();
    choice.algorithms = algorithms.iter().map(|name| (*name).to_owned()).collect();
    choice.n = vec![n];
    choice
}

/// A text of a figure and the box around it.
#[derive(Debug)]
struct Written {
    text: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Written {
    fn of(node: Node) -> Self {
        // What is alike is said once, by a group.
        let said = |name: &str| node.ancestors().find_map(|node| node.attribute(name));
        let number = |name: &str| -> f64 {
            said(name).and_then(|value| value.parse().ok()).expect("a number")
        };
        let text = node.text().unwrap_or_default().trim().to_owned();
        let (x, y, size) = (number("x"), number("y"), number("font-size"));
        let long = width(&text, size);
        let start = match said("text-anchor") {
            Some("start") => 0.0,
            Some("end") => -long,
            _ => -long / 2.0,
        };
        // Letters reach from 0.73 em above the base line to 0.24 em below.
        let (high, low) = (-0.73 * size, 0.24 * size);
        let (left, top, right, bottom) = match node.attribute("transform") {
            // Read from below to above.
            Some(turn) => {
                assert!(turn.starts_with("rotate(270"), "{turn}");
                (x + high, y - start - long, x + low, y - start)
            }
            None => (x + start, y + high, x + start + long, y + low),
        };
        Written { text, left, top, right, bottom }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

fn svg(figure: &Figure) -> String {
    figure.svg()
}

/// All texts of a figure, and its extent.
fn texts(figure: &Figure) -> (Vec<Written>, f64, f64) {
    let svg = svg(figure);
    let document = Document::parse(&svg).expect("an SVG");
    let root = document.root_element();
    let view: Vec<f64> = root
        .attribute("viewBox")
        .map(|view| view.split(' ').map(|part| part.parse().expect("a number")).collect())
        .expect("a view box");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    (texts.map(Written::of).collect(), view[2], view[3])
}

/// The axes of a figure: upright and level lines from one place to another.
fn axes(svg: &str) -> Vec<[f64; 4]> {
    let document = Document::parse(svg).expect("an SVG");
    let is_axis = |node: &Node| {
        node.attribute("stroke") == Some("#666666") && node.attribute("stroke-width") == Some("1")
    };
    let mut found = Vec::new();
    for path in document.descendants().filter(is_axis) {
        for line in path.attribute("d").unwrap_or_default().split('M').skip(1) {
            let way = line.find(['h', 'v']).expect("a level or an upright line");
            let (x, y) = line[..way].split_once(' ').expect("two numbers");
            let [x, y, long] =
                [x, y, &line[way + 1..]].map(|it| it.parse::<f64>().expect("a number"));
            found.push(match line.as_bytes()[way] {
                b'h' => [x.min(x + long), y, x.max(x + long), y],
                _ => [x, y.min(y + long), x, y.max(y + long)],
            });
        }
    }
    found
}

/// Every text is inside, has letters of the font, and keeps off all others and off the axes.
fn check_texts(drawn: &Drawn) {
    let known = |name: &str| FIGURES.iter().any(|plot| plot.name == name);
    assert!(drawn.figures.iter().all(|figure| known(figure.name)));
    for figure in &drawn.figures {
        let (texts, width, height) = texts(figure);
        assert!(texts.len() > 3, "{} has hardly a text", figure.name);
        let axes = axes(&svg(figure));
        assert!(!axes.is_empty() || figure.name == "kinds", "{} has no axes", figure.name);
        for (place, text) in texts.iter().enumerate() {
            let inside =
                text.left >= 0.0 && text.top >= 0.0 && text.right <= width && text.bottom <= height;
            assert!(inside, "{}: {text:?} leaves the paper of {width} x {height}", figure.name);
            assert!(has_letters(&text.text), "{}: {:?}", figure.name, text.text);
            for &[left, top, right, bottom] in &axes {
                let crosses = left < text.right
                    && text.left < right
                    && top < text.bottom
                    && text.top < bottom;
                // A line has no width of its own.
                let touches = (left == right && text.left < left && left < text.right)
                    && top < text.bottom
                    && text.top < bottom
                    || (top == bottom && text.top < top && top < text.bottom)
                        && left < text.right
                        && text.left < right;
                assert!(!crosses && !touches, "{}: {text:?} on an axis", figure.name);
            }
            for other in &texts[place + 1..] {
                assert!(!text.overlaps(other), "{}: {text:?} and {other:?}", figure.name);
            }
        }
        assert!(!figure.title.is_empty() && figure.caption.ends_with('.'), "{}", figure.name);
    }
    for (name, why) in &drawn.skipped {
        assert!(why.len() > 20, "{name}: {why}");
    }
}

fn names(drawn: &Drawn) -> Vec<&'static str> {
    drawn.figures.iter().map(|figure| figure.name).collect()
}

/// The figures about rings, in their order; the others are about trees and graphs.
fn about_rings() -> Vec<&'static str> {
    let others = [&NETWORK_FIGURES[..], &["id-range"]].concat();
    FIGURES.iter().map(|plot| plot.name).filter(|name| !others.contains(name)).collect()
}

const NETWORK_FIGURES: [&str; 4] = ["networks", "network-edges", "network-time", "network-paired"];

fn named<'d>(drawn: &'d Drawn, name: &str) -> &'d Figure {
    let figure = drawn.figures.iter().find(|figure| figure.name == name);
    figure.unwrap_or_else(|| panic!("no {name}: {:?}", drawn.skipped))
}

fn has_text(figure: &Figure, text: &str) -> bool {
    texts(figure).0.iter().any(|written| written.text.contains(text))
}

#[test]
fn a_rich_folder_gives_all_figures_without_overlap() {
    let drawn = draw_checked(RICH);
    assert_eq!(drawn.skipped, []);
    assert_eq!(names(&drawn), about_rings());
    for figure in &drawn.figures {
        assert!(has_text(figure, "rich · seed 7 · hustings"), "{}", figure.name);
    }
    for label in ["n²", "2 n log2 n", "n H_n", "0.69 n log2 n", "chang-roberts", "time-slice"] {
        assert!(has_text(&drawn.figures[0], label), "{label}");
    }
    let constants = drawn.figures.iter().find(|figure| figure.name == "constants");
    assert!(has_text(constants.expect("drawn"), "theory 0.5000: n(n+1)/2"));
}

#[test]
fn all_algorithms_at_once_have_room() {
    draw_checked(&every_algorithm());
}

#[test]
fn little_data_gives_sensible_figures_or_a_sentence() {
    let one_cell = "algorithms = 'chang-roberts'\nn = 16\nruns = 50";
    let one_run = "algorithms = ['chang-roberts', 'peterson']\nn = [8, 16, 32, 64]\nruns = 1";
    let one_size = "algorithms = ['chang-roberts', 'lelann', 'peterson']\nn = 64\nruns = 40";
    let tiny = "algorithms = ['chang-roberts', 'time-slice']\nn = [1, 2]\nruns = 2";
    let constant = "algorithms = 'lelann'\nn = [8, 9, 10]\nruns = 3";
    let ordered =
        "algorithms = 'chang-roberts'\nn = [8, 16]\nlayouts = ['ascending', 'descending']";
    let large = "algorithms = 'chang-roberts'\nn = [300000]\nruns = 2";
    for text in [one_cell, one_run, one_size, tiny, constant, ordered, large] {
        let drawn = draw_checked(text);
        assert!(!drawn.figures.is_empty(), "{text}");
    }
    let drawn = draw_spec(one_cell);
    for name in ["messages", "ratio", "distribution", "quantiles", "layouts", "kinds", "trade-off"]
    {
        assert!(names(&drawn).contains(&name), "{name}: {:?}", drawn.skipped);
    }
    let skipped: Vec<&str> = drawn.skipped.iter().map(|(name, _)| *name).collect();
    assert_eq!(skipped, ["per-node", "constants", "paired"]);
    assert_eq!(names(&draw_spec(ordered)), ["layouts"]);
}

#[test]
fn a_contradiction_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "algorithms = ['chang-roberts', 'lelann']\nn = [8, 16, 32, 64]\nruns = 50";
    let out = run(text, &folder.path().join("out"));
    spoil(&out, "chang-roberts", 40);
    let drawn = drawn(&out);
    check_texts(&drawn);
    let ratio = named(&drawn, "ratio");
    assert!(ratio.title.contains("4 of 8 means differ"), "{}", ratio.title);
    assert!(has_text(ratio, "differs at n = 8, 16, 32, 64"));
}

/// The folders differ in name, so no path is on a figure either.
#[test]
fn figures_are_the_same_bytes_every_time() {
    let (a, b) = (draw_spec(RICH), draw_spec(RICH));
    assert_eq!(a, b);
    for (a, b) in a.figures.iter().zip(&b.figures) {
        assert_eq!(a.png().expect("a picture"), b.png().expect("a picture"), "{}", a.name);
        assert!(a.pdf() == b.pdf() && a.tex() == b.tex(), "{}", a.name);
    }
}

#[test]
fn other_messages_give_another_figure() {
    let text =
        |seed: u64| format!("algorithms = 'peterson'\nn = [16, 64]\nruns = 9\nseed = {seed}");
    assert_ne!(svg(&draw_spec(&text(1)).figures[0]), svg(&draw_spec(&text(2)).figures[0]));
}

#[test]
fn exact_probabilities_stand_over_the_histogram_where_they_are_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = run(RICH, &folder.path().join("out"));
    let results = Results::open(&out, &REGISTRY).expect("results");
    let summary = Summary::of(&results).expect("good results");
    let figure = |algorithm: &str| {
        let choice = choice(&[algorithm], 16);
        let drawn = draw_chosen(&results, &summary, Some("distribution"), &choice);
        drawn.expect("it can be drawn").figures.remove(0)
    };
    let (known, other) = (figure("chang-roberts"), figure("hirschberg-sinclair"));
    assert!(has_text(&known, "exact distribution") && !has_text(&other, "exact distribution"));
    assert!(has_text(&figure("peterson"), "exact distribution"));
    assert!(known.title.starts_with("chang-roberts at n = 16"), "{}", known.title);
    let error = draw_one(&results, &summary, "mesages").expect_err("no such figure").to_string();
    assert!(error.contains("did you mean messages?"), "{error}");
    let error =
        draw_chosen(&results, &summary, None, &choice(&["petersen"], 16)).expect_err("no such");
    assert!(error.to_string().contains("did you mean peterson?"), "{error}");
}

/// Whether a pixel of a PNG has ink, with the size of the picture.
fn ink(file: &[u8]) -> (u32, u32, impl Fn(u32, u32) -> bool) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
    let mut colours = vec![0; reader.output_buffer_size().expect("of some size")];
    let frame = reader.next_frame(&mut colours).expect("a picture");
    let (width, height) = (frame.width, frame.height);
    let pixel = move |x: u32, y: u32| 3 * (y * width + x) as usize;
    (width, height, move |x, y| colours[pixel(x, y)..][..3] != [255; 3])
}

#[test]
fn a_png_carries_its_labels_though_no_font_is_installed() {
    let drawn = draw_spec("algorithms = 'chang-roberts'\nn = [16, 64]\nruns = 20");
    for figure in &drawn.figures {
        let file = figure.png().expect("a picture");
        let (wide, high, has_ink) = ink(&file);
        let (texts, width, height) = texts(figure);
        // A PNG has twice the size of an SVG.
        assert_eq!((f64::from(wide), f64::from(high)), (width * 2.0, height * 2.0));
        for text in texts {
            let pixels = |low: f64, high: f64| (low * 2.0) as u32..(high * 2.0) as u32;
            let inked = pixels(text.top, text.bottom)
                .flat_map(|y| pixels(text.left, text.right).map(move |x| (x, y)))
                .filter(|&(x, y)| has_ink(x, y))
                .count();
            assert!(inked > 20 * text.text.chars().count(), "{text:?}: {inked} pixels");
        }
    }
}

fn hustings(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let mut command = Command::cargo_bin("hustings").expect("the program");
    let output = command.args(arguments).current_dir(folder).output().expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("an exit code");
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn the_verb_writes_the_files_it_names_and_nothing_of_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    run("name = 'small'\nalgorithms = 'chang-roberts'\nn = [8, 16]\nruns = 5", &here.join("data"));
    let (code, out, err) = hustings(&["plot", "data", "--figure", "messages"], here);
    assert_eq!((code, out.as_str()), (0, "plots/small/messages.svg\nplots/small/messages.png\n"));
    assert_eq!(err, "");
    // Drawn again, the files are ours and may be replaced.
    let before = std::fs::read(here.join("plots/small/messages.png")).expect("written");
    let (code, out, _) = hustings(&["plot", "data", "--figure", "messages", "--quiet"], here);
    assert_eq!((code, out.as_str()), (0, ""));
    assert_eq!(std::fs::read(here.join("plots/small/messages.png")).expect("written"), before);
    // Somebody else's file stays.
    let theirs = here.join("plots/small/messages.svg");
    std::fs::write(&theirs, "<svg>my drawing</svg>").expect("written");
    let (code, out, err) = hustings(&["plot", "data"], here);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("messages.svg") && err.contains("--force"), "{err}");
    assert_eq!(std::fs::read_to_string(&theirs).expect("there"), "<svg>my drawing</svg>");
    let formats = ["--format", "svg,pdf,tex,csv", "--width", "column"];
    let arguments = [&["plot", "data", "--force", "--bare", "--out", "x"], &formats[..]].concat();
    let (code, out, err) = hustings(&arguments, here);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("x/ratio.svg\nx/ratio.pdf\nx/ratio.tex\nx/ratio.csv\n")
            && !out.contains("png"),
        "{out}"
    );
    assert!(err.contains("no figure paired: "), "{err}");
    let tex = std::fs::read_to_string(here.join("x/ratio.tex")).expect("written");
    assert!(
        tex.contains("\\begin{tikzpicture}") && tex.contains("% Measured over theory"),
        "{tex}"
    );
    // Again without --force: all of these are ours.
    let (code, _, err) = hustings(&["plot", "data", "--format", "csv", "--out", "x"], here);
    assert_eq!(code, 0, "{err}");
    // Without the words around it.
    let bare = std::fs::read_to_string(here.join("x/ratio.svg")).expect("written");
    assert!(!bare.contains("seed") && bare.contains("measured / theory"), "{bare}");
    let (code, _, err) = hustings(&["plot", "nowhere"], here);
    assert!(code == 2 && err.contains("there is no such folder"), "{err}");
    let (code, _, err) = hustings(&["plot", "data", "--figure", "pie"], here);
    assert!(code == 2 && err.contains("the figures are messages, per-node, ratio"), "{err}");
}

#[test]
fn trees_and_graphs_have_figures_of_their_own() {
    let drawn = draw_checked(NETWORKS);
    assert_eq!(draw_spec(NETWORKS), drawn, "not the same every time");
    for name in NETWORK_FIGURES {
        let figure = named(&drawn, name);
        assert!(has_text(figure, "nets · seed 5 · hustings"), "{name}");
        let lines: Vec<String> = texts(figure).0.into_iter().map(|line| line.text).collect();
        let all = lines.join(" ");
        assert!(all.contains("initiators: all, timing: sync; one other setting"), "{name}: {all}");
        assert!(all.contains("announce the winner (of kkm 2E − N + 1)"), "{all}");
    }
    let families = ["path", "star", "random-tree", "torus", "erdos-renyi"];
    let algorithms = ["tree-frugal", "echo-election", "adoption", "ghs", "kkm", "dfs-path"];
    for name in ["networks", "network-edges", "network-time"] {
        let written: Vec<String> =
            texts(named(&drawn, name)).0.into_iter().map(|written| written.text).collect();
        for label in families.iter().chain(&algorithms) {
            let times = written.iter().filter(|text| text == label).count();
            assert_eq!(times, 1, "{label} in {name}");
        }
    }
    assert!(has_text(named(&drawn, "networks"), "2, one wave"));
    assert!(has_text(named(&drawn, "networks"), "2 H_N (a heuristic"));
    // The rings of this folder are figures of rings only.
    assert!(!has_text(named(&drawn, "networks"), "ring"));
    assert!(names(&drawn).contains(&"messages"));
}

/// The announcement is flooded where no tree is known; on trees that is no more than N - 1.
#[test]
fn who_floods_the_announcement_is_named() {
    let sentence = |algorithms: &str, topology: &str| {
        let text =
            format!("algorithms = [{algorithms}]\ntopologies = '{topology}'\nn = 16\nruns = 3");
        let lines = texts(named(&draw_spec(&text), "networks")).0;
        let all = lines.into_iter().map(|line| line.text).collect::<Vec<_>>().join(" ");
        let from = all.split_once("announce the winner").expect("it is said").1;
        from.split_once(';').expect("the setting follows").0.to_owned()
    };
    for (algorithms, topology, expected) in [
        ("'ghs', 'echo-election', 'adoption', 'phase'", "torus", ""),
        ("'ghs', 'extinction-tarry'", "torus", " (of extinction-tarry 2E − N + 1)"),
        ("'kkm', 'extinction-echo'", "erdos-renyi", " (of extinction-echo and kkm 2E − N + 1)"),
        (
            "'kkm-path', 'ghs', 'kkm', 'extinction-dfs'",
            "torus",
            " (of extinction-dfs, kkm and kkm-path 2E − N + 1)",
        ),
        (
            "'kkm', 'kkm-path', 'extinction-echo', 'extinction-dfs'",
            "torus",
            " (of 4 algorithms 2E − N + 1)",
        ),
        ("'kkm', 'ghs'", "random-tree", ""),
    ] {
        assert_eq!(sentence(algorithms, topology), expected, "{algorithms} on {topology}");
    }
}

#[test]
fn others_are_set_against_the_yardsticks_of_the_registry() {
    let drawn = draw_spec(RICH);
    assert!(has_text(named(&drawn, "paired"), "chang-roberts less peterson"));
    let drawn = draw_spec(NETWORKS);
    assert!(has_text(named(&drawn, "network-paired"), "over echo-election"));

    let mut mine = Entry::graph::<Announced<Ghs, Tree>>().named("mine");
    mine.yardstick = true;
    let registry = Registry::standard().with(mine);
    let text = "algorithms = ['adoption', 'mine']\ntopologies = 'torus'\nn = 16\nruns = 9";
    let spec = Spec::parse(text, "test.toml", "test", &registry).expect("a good spec");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    batch::run(&spec, &out, &Options::default(), &()).expect("it runs");
    let results = Results::open(&out, &registry).expect("a results folder");
    let drawn = draw(&results, &Summary::of(&results).expect("good results")).expect("drawn");
    assert!(has_text(named(&drawn, "network-paired"), "over mine"));
    // No wave of its is extinguished, so what is said of such waves is not said of it.
    assert!(!has_text(named(&drawn, "networks"), "a heuristic"));
}

#[test]
fn all_algorithms_for_networks_at_once_have_room() {
    let named = |on: &[On]| -> String {
        let there = REGISTRY.entries().iter().filter(|entry| on.contains(&entry.model.on));
        there.map(|entry| format!("'{}', ", entry.name)).collect()
    };
    let text = format!(
        "runs = 20\n[[grid]]\nalgorithms = [{}]\ntopologies = 'random-tree'\nn = [9, 16, 36]
        [[grid]]\nalgorithms = [{}]\ntopologies = ['torus', 'lollipop']\nn = [9, 16, 36]",
        named(&[On::Trees, On::Graphs]),
        named(&[On::Graphs])
    );
    assert_eq!(names(&draw_checked(&text)), NETWORK_FIGURES);
}

/// Who wakes everybody first needs 4(N - 1) messages on every tree, and who does not 4N - 4 - L
/// with L leaves (docs/graphs.md): 3(N - 1) on a star, 4 N - 6 on a path.
#[test]
fn ratios_on_the_same_networks_are_those_of_the_theorems() {
    let text = "algorithms = ['tree-frugal', 'tree-wakeup']\nn = [10, 101]\nruns = 9
        topologies = ['star', 'path']";
    let drawn = draw_spec(text);
    check_texts(&drawn);
    assert_eq!(names(&drawn), NETWORK_FIGURES);
    assert_eq!(drawn.skipped, []);
    let paired = named(&drawn, "network-paired");
    for label in ["star, N = 101", "path, N = 101", "over tree-frugal"] {
        assert!(has_text(paired, label), "{label}");
    }
    // 400 over 300, and 400 over 398.
    assert!(has_text(paired, "tree-wakeup × 1.33") && has_text(paired, "tree-wakeup × 1.01"));
    assert!(paired.title.contains("1.33 times the messages of tree-frugal"), "{}", paired.title);
    let edges = named(&drawn, "network-edges");
    let begin = "From 3 E messages (tree-frugal on star) to 4 E (tree-wakeup on ";
    assert!(edges.title.starts_with(begin), "{}", edges.title);
}

#[test]
fn ratios_are_those_of_the_size_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = run(NETWORKS, &folder.path().join("out"));
    let results = Results::open(&out, &REGISTRY).expect("results");
    let summary = Summary::of(&results).expect("good results");
    let drawn =
        draw_chosen(&results, &summary, Some("network-paired"), &choice(&["ghs", "kkm"], 36));
    let drawn = drawn.expect("it can be drawn");
    check_texts(&drawn);
    let (paired, means) = (named(&drawn, "network-paired"), |algorithm: &str| {
        let is_it = |cell: &&hustings::summarise::CellSummary| {
            let CellKey { algorithm: name, topology, initiators, .. } = &cell.key;
            (name.as_str(), topology.as_str()) == (algorithm, "torus")
                && initiators == "all"
                && cell.n() == 36
        };
        let cell = summary.cells.iter().find(is_it);
        cell.and_then(|cell| cell.mean).expect("runs")
    });
    assert!(has_text(paired, "torus, N = 36") && has_text(paired, "over ghs"));
    let label = format!("kkm × {:.2}", means("kkm") / means("ghs"));
    assert!(has_text(paired, &label), "{label}");
}

#[test]
fn little_data_of_networks_gives_figures_or_a_sentence() {
    let one_cell = "algorithms = 'echo-election'\ntopologies = 'torus'\nn = 9\nruns = 5";
    let one_run = "algorithms = ['echo-election', 'ghs']\ntopologies = 'grid'\nn = 16\nruns = 1";
    let one_size = "algorithms = ['adoption', 'kkm']\ntopologies = ['grid', 'complete', 'lollipop']
        n = 12\nruns = 30";
    let one_family =
        "algorithms = ['ghs', 'kkm-path']\ntopologies = 'complete'\nn = '4..64'\nruns = 3";
    let smallest =
        "algorithms = ['echo-election', 'ghs']\ntopologies = 'path'\nn = [1, 2]\nruns = 2";
    for text in [one_cell, one_run, one_size, one_family, smallest] {
        let drawn = draw_checked(text);
        for name in ["networks", "network-edges", "network-time"] {
            assert!(names(&drawn).contains(&name), "{text}: {:?}", drawn.skipped);
        }
    }
    let drawn = draw_spec(one_cell);
    let skipped: Vec<&str> = drawn.skipped.iter().map(|(name, _)| *name).collect();
    assert_eq!(skipped, ["network-paired"]);

    // One node sends nothing, wherever it is.
    let lonely = draw_spec("algorithms = 'echo-election'\ntopologies = 'path'\nn = 1\nruns = 2");
    check_texts(&lonely);
    assert_eq!((names(&lonely).len(), lonely.skipped.len()), (0, 4));

    // Rings have no such figures, and nothing is said about them unless somebody asks.
    let folder = tempfile::tempdir().expect("a folder");
    let out = run("algorithms = 'peterson'\nn = 8\nruns = 2", &folder.path().join("out"));
    let results = Results::open(&out, &REGISTRY).expect("results");
    let summary = Summary::of(&results).expect("good results");
    let all = draw(&results, &summary).expect("it can be drawn");
    assert!(!all.skipped.iter().any(|(name, _)| NETWORK_FIGURES.contains(name)));
    for name in NETWORK_FIGURES {
        let drawn = draw_one(&results, &summary, name).expect("a good name");
        assert_eq!((drawn.figures.len(), drawn.skipped.len()), (0, 1));
        assert_eq!(drawn.skipped[0].1, "there is no cell on trees or graphs in random order");
    }
}

/// What is between `stream` and `endstream` in an object of a PDF, unpacked.
fn stream(pdf: &[u8], object: usize) -> String {
    let find = |from: usize, text: &str| {
        let found = pdf[from..].windows(text.len()).position(|bytes| bytes == text.as_bytes());
        from + found.unwrap_or_else(|| panic!("no {text}"))
    };
    let begin = find(find(0, &format!("\n{object} 0 obj\n")), "stream\n") + "stream\n".len();
    let end = find(begin, "\nendstream");
    let data = miniz_oxide::inflate::decompress_to_vec_zlib(&pdf[begin..end]).expect("packed");
    String::from_utf8_lossy(&data).into_owned()
}

/// The texts of a PDF as a reader of it would find them: glyphs, and the map from these to letters.
fn pdf_texts(pdf: &[u8]) -> Vec<String> {
    let letters: std::collections::HashMap<String, char> = stream(pdf, 9)
        .lines()
        .filter_map(|line| {
            let (glyph, letter) = line.strip_prefix('<')?.strip_suffix('>')?.split_once("> <")?;
            let code = u32::from_str_radix(letter, 16).ok()?;
            Some((glyph.to_owned(), char::from_u32(code)?))
        })
        .collect();
    let content = stream(pdf, 4);
    let shown =
        content.lines().filter_map(|line| line.split_once(" Tm <")?.1.strip_suffix("> Tj ET"));
    let text = |hex: &str| {
        hex.as_bytes().chunks(4).map(|it| letters[std::str::from_utf8(it).expect("hex")]).collect()
    };
    shown.map(text).collect()
}

#[test]
fn a_pdf_has_every_text_of_the_svg_and_its_table_of_objects_is_right() {
    for figure in &draw_spec(RICH).figures {
        let pdf = figure.pdf();
        let mut expected: Vec<String> = texts(figure).0.into_iter().map(|it| it.text).collect();
        let mut found: Vec<String> =
            pdf_texts(&pdf).iter().map(|it| it.trim().to_owned()).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{}", figure.name);
        let tail = String::from_utf8_lossy(&pdf[pdf.len() - 400..]).into_owned();
        let start: usize = tail
            .split("startxref\n")
            .nth(1)
            .expect("an end")
            .lines()
            .next()
            .and_then(|line| line.parse().ok())
            .expect("a number");
        let table = String::from_utf8_lossy(&pdf[start..]).into_owned();
        for (number, line) in table.lines().skip(3).take(10).enumerate() {
            let place: usize = line[..10].parse().expect("ten digits");
            assert!(pdf[place..].starts_with(format!("{} 0 obj", number + 1).as_bytes()), "{line}");
        }
        assert!(pdf.len() < 60_000, "{}: {} bytes", figure.name, pdf.len());
    }
}

/// What is not grey: the eight colours that series have.
const SERIES_COLOURS: [&str; 8] =
    ["#0072b2", "#e69f00", "#009e73", "#56b4e9", "#d55e00", "#000000", "#cc79a7", "#882255"];

/// Lines that belong to series and not to axes are 1.6 pixels thick; the samples at labels and in keys
/// show each series once.
#[test]
fn no_two_series_of_a_panel_share_a_colour() {
    for text in [RICH.to_owned(), every_algorithm()] {
        let drawn = draw_spec(&text);
        for name in ["messages", "trade-off"] {
            let svg = svg(named(&drawn, name));
            let document = Document::parse(&svg).expect("an SVG");
            let mut ends: Vec<(&str, &str)> = Vec::new();
            for line in document.descendants().filter(|node| node.has_tag_name("path")) {
                let colour = line.attribute("stroke").unwrap_or_default();
                let steps = line.attribute("d").unwrap_or_default();
                // A whole series is one line of several points; intervals are lines of two each.
                if SERIES_COLOURS.contains(&colour)
                    && steps.matches('M').count() == 1
                    && steps.matches(['l', 'h', 'v']).count() > 2
                {
                    ends.push((colour, steps));
                }
            }
            for (place, (colour, points)) in ends.iter().enumerate() {
                let other =
                    ends[place + 1..].iter().find(|(it, way)| it == colour && way != points);
                assert!(other.is_none(), "{name}: {colour} twice");
            }
        }
    }
}

/// Folders in which the sentence that comes to mind first would be false.
#[test]
fn headlines_stay_true() {
    let title = |text: &str, figure: &str| named(&draw_spec(text), figure).title.clone();
    // The cheapest is missing at the largest size.
    let missing =
        "runs = 30\n[[grid]]\nalgorithms = ['chang-roberts', 'peterson']\nn = [16, 32, 64, 128]
        [[grid]]\nalgorithms = 'time-slice'\nn = [16, 32]";
    for figure in ["messages", "trade-off"] {
        let title = title(missing, figure);
        assert!(title.starts_with("Of the 2 of 3 algorithms measured at n = 128, "), "{title}");
        assert!(!title.contains("time-slice"), "{title}");
    }
    let slopes = title(missing, "per-node");
    assert!(
        slopes.starts_with("Of the 2 of 3 algorithms measured at n = 128, from n = 64"),
        "{slopes}"
    );
    // Who varies most is asked of one size, though the largest of each differ.
    let quantiles = title(missing, "quantiles");
    assert!(quantiles.starts_with("At n = 128, "), "{quantiles}");
    // Only one has the largest size.
    let alone = "runs = 30\n[[grid]]\nalgorithms = ['chang-roberts', 'lelann']\nn = [8, 16]
        [[grid]]\nalgorithms = 'lelann'\nn = 64";
    assert_eq!(
        title(alone, "messages"),
        "Only lelann was measured at n = 64: it needs 4096 messages"
    );
    // A tie: all need n² messages.
    let tie = "runs = 3\nalgorithms = ['clockwise', 'clockwise-join', 'chang-roberts', 'lelann']\nn = [8, 16]";
    let tied = title(tie, "messages");
    assert!(tied.contains("chang-roberts, clockwise and clockwise-join need the fewest"), "{tied}");
    let same = "runs = 3\nalgorithms = ['clockwise', 'clockwise-join']\nn = [8, 16]";
    assert!(title(same, "messages").contains("all need the same"), "{}", title(same, "messages"));
    assert_eq!(
        title(same, "paired"),
        "clockwise and clockwise-join need the same on every ring of 16"
    );
    // Too close to tell: ten rings do not order chang-roberts and its like.
    let close =
        "runs = 4\nseed = 2\nalgorithms = ['hirschberg-sinclair', 'k-neighbour', 'lelann']\nn = 64";
    let unsure = title(close, "messages");
    assert!(unsure.contains("too close to tell"), "{unsure}");
    // One run.
    let once = "runs = 1\nalgorithms = ['chang-roberts', 'peterson']\nn = [16, 64]";
    assert!(title(once, "messages").ends_with(", in one run each"), "{}", title(once, "messages"));
    assert!(
        title(once, "paired").starts_with("On the one ring of 64, "),
        "{}",
        title(once, "paired")
    );
    // A fitted expectation confirms nothing.
    let fitted = "runs = 40\nalgorithms = 'variable-speeds'\nn = [8, 16, 32, 64]";
    let drawn = draw_spec(fitted);
    if let Some(figure) = drawn.figures.iter().find(|figure| figure.name == "constants") {
        assert!(figure.title.contains("no expectation is known"), "{}", figure.title);
    }
}

#[test]
fn what_is_left_out_is_said_with_the_flag_that_shows_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = run(RICH, &folder.path().join("out"));
    let results = Results::open(&out, &REGISTRY).expect("results");
    let summary = Summary::of(&results).expect("good results");
    let draw = |choice: &Choice| draw_chosen(&results, &summary, Some("messages"), choice);
    let notes = |choice: &Choice| draw(choice).expect("drawn").figures.remove(0).notes;
    let mut choice = Choice::default();
    assert!(notes(&choice).contains("not shown (--timing uniform:0..1)"), "{}", notes(&choice));
    choice.timings = vec!["uniform:0..1".to_owned()];
    assert!(notes(&choice).contains("timing: uniform:0..1."), "{}", notes(&choice));
    choice.timings = vec!["unifrm:0..1".to_owned()];
    let error = draw(&choice).expect_err("no such timing").to_string();
    assert!(error.contains("did you mean uniform:0..1?"), "{error}");
    choice.timings = vec!["uniform:0..1".to_owned()];
    choice.layouts = vec!["worst".to_owned()];
    let error = draw(&choice).expect_err("none has both").to_string();
    assert!(error.contains("no cell of the results has all of these"), "{error}");
}

/// The time of `time-slice` is n (id_min + 1) on every ring, and its messages are n.
#[test]
fn ranges_of_ids_have_a_figure_of_their_own() {
    let text = "algorithms = ['chang-roberts', 'time-slice', 'variable-speeds']\nn = 16\nruns = 20
        ids = ['range:n', 'range:32', 'range:2^6', 'range:n^2']";
    let drawn = draw_checked(text);
    let figure = named(&drawn, "id-range");
    assert!(
        figure
            .title
            .starts_with("At n = 16 with IDs below 256, time-slice needs 16 messages in time")
    );
    for label in ["n (id_min + 1)", "n 2^id_min", "time-slice", "variable-speeds"] {
        assert!(has_text(figure, label), "{label}");
    }
    // Who ties is named with the times of all: both wait by their IDs, and send n messages here.
    let tie = "algorithms = ['lelann', 'clockwise', 'clockwise-join']\nn = 16\nruns = 9
        ids = ['range:n', 'range:32']";
    let title = named(&draw_spec(tie), "id-range").title.clone();
    assert!(title.contains("clockwise and clockwise-join need "), "{title}");
    assert!(title.ends_with("lelann needs 256 messages in time 16"), "{title}");
}

/// The table behind a figure has one row for each mark: the mean of every cell that is shown.
#[test]
fn the_numbers_behind_a_figure_are_those_of_the_cells() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = run(RICH, &folder.path().join("out"));
    let results = Results::open(&out, &REGISTRY).expect("results");
    let summary = Summary::of(&results).expect("good results");
    let drawn = draw(&results, &summary).expect("it can be drawn");
    let table = |name: &str| -> Vec<Vec<String>> {
        let text = named(&drawn, name).csv();
        let head =
            "series,algorithm,topology,layout,ids,initiators,timing,n,x_axis,x,y_axis,y,low,high";
        assert_eq!(text.lines().next(), Some(head), "{name}");
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let fields = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
        rows.records().map(|row| fields(row.expect("a row"))).collect()
    };
    let usual = |cell: &&hustings::summarise::CellSummary| {
        cell.key.layout == "random" && cell.key.timing == "sync"
    };
    let expected: Vec<(String, f64)> = (summary.cells.iter().filter(usual))
        .map(|cell| (cell.key.words(), cell.mean.expect("runs")))
        .collect();
    let mut found: Vec<(String, f64)> = table("messages")
        .iter()
        .map(|row| (row[1..8].join(" "), row[11].parse().expect("a number")))
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let mut expected_sorted = expected;
    expected_sorted.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(found, expected_sorted);
    for figure in &drawn.figures {
        assert!(!table(figure.name).is_empty(), "{} has no numbers", figure.name);
    }
}
