//! The rooms and their arrows, drawn from the imports: `docs/rooms.svg`, and the table of
//! `docs/architecture.md`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::HOUSE;
use crate::rules::arrows;
use crate::tree::{Room, Tree};

const WIDTH: f64 = 800.0;
const MARGIN: f64 = 14.0;
const BOX_WIDTH: f64 = 500.0;
const BOX_HEIGHT: f64 = 52.0;
/// Between two rooms, and between two that stand beside each other.
const GAP: f64 = 16.0;
const SMALL_GAP: f64 = 3.0;
/// The stripe at the left of a box, in the colour of the arrows that lead there.
const STRIPE: f64 = 7.0;
/// How round the arrows' corners are.
const CORNER: f64 = 9.0;
const ARROW_HEAD: f64 = 8.0;
/// Letters that fit on the line of a box in any common font.
const MOST_LETTERS: usize = 68;

/// A line does not break off after these.
const SMALL_WORDS: [&str; 10] =
    ["a", "about", "an", "and", "in", "its", "of", "the", "through", "with"];

/// One colour for each room, so that arrows to different rooms can be told apart.
const COLOURS: [&str; 12] = [
    "#3b6fb6", "#d9822b", "#3f9b58", "#c5443f", "#7d5bb0", "#2a9d9d", "#a3623a", "#c94f93",
    "#6b7a1f", "#4a4a8c", "#777777", "#b59400",
];

/// How wide an arrow is that stands for the imports of so many files. Only the steps are drawn, so that
/// most new files leave the picture as it is.
fn width(files: usize) -> f64 {
    match files {
        0 | 1 => 1.1,
        2..10 => 2.2,
        _ => 3.6,
    }
}

/// The picture as SVG.
fn svg(tree: &Tree) -> String {
    let drawing = Drawing::new(tree);
    let height = drawing.tops[drawing.tops.len() - 1] + BOX_HEIGHT + 58.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\">\n\
         <title>The rooms of hustings and what they import</title>\n\
         <!-- made by scripts/rooms from the imports in src/ -->\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for place in 0..tree.rooms.len() {
        drawing.arrows_to(&mut text, place);
    }
    for (place, room) in tree.rooms.iter().enumerate() {
        drawing.room(&mut text, place, &tree.files[&window(room)].source.opening);
    }
    let legend = [
        "An arrow leads from a room to one that it imports: always upwards.",
        "Thin: one file imports it; wider: two to nine; widest: ten or more. Tests are not counted.",
    ];
    for (line, words) in legend.iter().enumerate() {
        let y = height - 32.0 + 17.0 * line as f64;
        _ = writeln!(
            text,
            "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"12\" fill=\"#555\">{words}</text>"
        );
    }
    text + "</svg>\n"
}

fn window(room: &Room) -> String {
    format!("src/{}/mod.rs", room.name)
}

/// Where everything is.
struct Drawing<'a> {
    rooms: &'a [Room],
    tops: Vec<f64>,
    /// For each room, by place: those that it imports, and how many of its files do.
    imports: Vec<BTreeMap<usize, usize>>,
    /// For each room: where the arrows that lead there go up.
    lanes: Vec<f64>,
}

impl<'a> Drawing<'a> {
    fn new(tree: &'a Tree) -> Self {
        let rooms = &tree.rooms[..];
        let mut tops = vec![MARGIN];
        for pair in rooms.windows(2) {
            let gap = if pair[0].rank == pair[1].rank { SMALL_GAP } else { GAP };
            tops.push(tops[tops.len() - 1] + BOX_HEIGHT + gap);
        }
        let place = |name: &str| rooms.iter().position(|room| room.name == name).expect("a room");
        let mut imports = vec![BTreeMap::new(); rooms.len()];
        for ((from, to), files) in arrows(tree) {
            imports[place(&from)].insert(place(&to), files);
        }
        // The earlier a room, the further out its lane, so that arrows lie within each other.
        let is_imported = |place: &usize| imports.iter().any(|others| others.contains_key(place));
        let imported: Vec<usize> = (0..rooms.len()).filter(is_imported).collect();
        let (first, last) = (MARGIN + BOX_WIDTH + 30.0, WIDTH - MARGIN);
        let step = (last - first) / (imported.len().max(2) - 1) as f64;
        let lane = |place: usize| {
            let inner = imported.iter().filter(|&&other| other > place).count();
            first + step * inner as f64
        };
        let lanes = (0..rooms.len()).map(lane).collect();
        Drawing { rooms, tops, imports, lanes }
    }

    fn is_imported(&self, place: usize) -> bool {
        self.imports.iter().any(|others| others.contains_key(&place))
    }

    /// The height at which an arrow leaves a room for another: the nearest on top, since it turns first.
    /// Below all is where arrows arrive.
    fn port(&self, from: usize, to: Option<usize>) -> f64 {
        let others: Vec<usize> = self.imports[from].keys().rev().copied().collect();
        let slots = others.len() + usize::from(self.is_imported(from));
        let slot = to.map_or(slots - 1, |to| others.iter().filter(|&&other| other > to).count());
        let step = (BOX_HEIGHT - 12.0) / slots.max(2) as f64;
        let first = (BOX_HEIGHT - step * (slots - 1) as f64) / 2.0;
        self.tops[from] + first + step * slot as f64
    }

    /// All arrows to one room. They share their way up, and the head.
    fn arrows_to(&self, text: &mut String, to: usize) {
        if !self.is_imported(to) {
            return;
        }
        let (right, lane, colour) =
            (MARGIN + BOX_WIDTH, self.lanes[to], COLOURS[to % COLOURS.len()]);
        let arrival = self.port(to, None);
        for (from, others) in self.imports.iter().enumerate() {
            let Some(&files) = others.get(&to) else { continue };
            let start = self.port(from, Some(to));
            _ = writeln!(
                text,
                "<path d=\"M{right} {start:.1} H{:.1} Q{lane:.1} {start:.1} {lane:.1} {:.1} V{:.1} \
                 Q{lane:.1} {arrival:.1} {:.1} {arrival:.1} H{:.1}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"{}\"/>",
                lane - CORNER,
                start - CORNER,
                arrival + CORNER,
                lane - CORNER,
                right + ARROW_HEAD,
                width(files),
            );
        }
        let (tip, back, half) = (right + 1.0, right + 1.0 + ARROW_HEAD, ARROW_HEAD / 2.0);
        _ = writeln!(
            text,
            "<path d=\"M{tip} {arrival:.1} L{back} {:.1} V{:.1} Z\" fill=\"{colour}\"/>",
            arrival - half,
            arrival + half,
        );
    }

    /// The box of a room, with the first sentence of its window.
    fn room(&self, text: &mut String, place: usize, opening: &str) {
        let (top, colour) = (self.tops[place], COLOURS[place % COLOURS.len()]);
        let (name, left) = (&self.rooms[place].name, MARGIN + STRIPE + 12.0);
        let line = escaped(&shortened(opening));
        _ = writeln!(
            text,
            "<rect x=\"{MARGIN}\" y=\"{top}\" width=\"{BOX_WIDTH}\" height=\"{BOX_HEIGHT}\" rx=\"3\" \
             fill=\"#f6f6f4\" stroke=\"#c9c9c4\"/>\n\
             <rect x=\"{MARGIN}\" y=\"{top}\" width=\"{STRIPE}\" height=\"{BOX_HEIGHT}\" fill=\"{colour}\"/>\n\
             <text x=\"{left}\" y=\"{}\" font-size=\"16\" font-weight=\"bold\" fill=\"#222\">{name}</text>\n\
             <text x=\"{left}\" y=\"{}\" font-size=\"12.5\" fill=\"#444\">{line}</text>",
            top + 22.0,
            top + 41.0,
        );
    }
}

/// The first sentence, without marks of documentation, and no longer than a line.
fn shortened(opening: &str) -> String {
    let plain: String = opening.chars().filter(|c| !"`[]".contains(*c)).collect();
    let sentence = plain.split(". ").next().unwrap_or_default().trim_end_matches('.');
    if sentence.chars().count() <= MOST_LETTERS {
        return sentence.to_owned();
    }
    let most: String = sentence.chars().take(MOST_LETTERS - 1).collect();
    // At the end of a thought if there is one in the second half, else of a word.
    let half = most.len() / 2;
    let end = most.rfind([',', ';', ':']).filter(|&end| end > half).or_else(|| most.rfind(' '));
    let mut words: Vec<&str> = most[..end.unwrap_or(most.len())].split(' ').collect();
    while words.last().is_some_and(|word| SMALL_WORDS.contains(word)) {
        words.pop();
    }
    format!("{} …", words.join(" "))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Which rooms every room imports, as a table.
fn table(tree: &Tree) -> String {
    let arrows = arrows(tree);
    let mut text = "| room | imports |\n|---|---|\n".to_owned();
    for room in &tree.rooms {
        let imported = tree
            .rooms
            .iter()
            .filter(|other| arrows.contains_key(&(room.name.clone(), other.name.clone())));
        let names: Vec<String> = imported.map(|other| format!("`{}`", other.name)).collect();
        let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        _ = writeln!(text, "| `{}` | {names} |", room.name);
    }
    text
}

const BEGIN: &str = "<!-- begin: scripts/rooms -->\n";
const END: &str = "<!-- end: scripts/rooms -->\n";

/// Claims that a file is as it is made here; with `HUSTINGS_RENEW` it is written instead.
#[track_caller]
fn assert_made(path: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("HUSTINGS_RENEW").is_some() {
        fs::write(&path, made).expect("written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == made, "{} is not what the imports say: run scripts/rooms", path.display());
}

#[test]
fn the_picture_of_the_rooms_is_what_the_imports_say() {
    assert_made("docs/rooms.svg", &svg(&HOUSE));
}

#[test]
fn the_table_of_the_rooms_is_what_the_imports_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let text = fs::read_to_string(path).expect("it is there");
    let (before, rest) = text.split_once(BEGIN).expect("the table begins");
    let (_, after) = rest.split_once(END).expect("the table ends");
    assert_made("docs/architecture.md", &format!("{before}{BEGIN}{}{END}{after}", table(&HOUSE)));
}

#[test]
fn a_sentence_is_shortened_at_the_end_of_a_thought() {
    assert_eq!(shortened("The [`words`]. More."), "The words");
    let long =
        "The words: identities, ports, messages, processes and their outbox; networks; more.";
    assert_eq!(
        shortened(long),
        "The words: identities, ports, messages, processes and their outbox …"
    );
    let small =
        "They deliver every message of one long election in rounds through the states of all.";
    assert_eq!(shortened(small), "They deliver every message of one long election in rounds …");
    let wordy = "word ".repeat(30);
    assert!(shortened(&wordy).chars().count() <= MOST_LETTERS);
}
