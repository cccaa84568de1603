//! The complete spec as TOML, defaults filled in: the same experiment in the same words.

use std::fmt::{self, Write};

use sha2::{Digest, Sha256};

use super::whole::Spec;
use crate::experiment::bounds::{Bound, TABLES};
use crate::experiment::hash::hex;

/// The table that keeps what files said.
pub(super) const FILES: &str = "files";

impl Spec {
    /// The complete spec as TOML, defaults filled in: the same experiment in the same words.
    pub fn to_toml(&self) -> String {
        let mut toml = format!("name = {}\n{}", quoted(&self.name), self.body());
        for (table, of) in TABLES {
            let mut stated = self.bounds.iter().filter(|bound| bound.of == of).peekable();
            if stated.peek().is_some() {
                _ = writeln!(toml, "\n[{table}]");
            }
            for Bound { algorithm, formula, .. } in stated {
                _ = writeln!(toml, "{} = {}", quoted(algorithm), quoted(&formula.to_string()));
            }
        }
        let files = self.files();
        if !files.is_empty() {
            _ = writeln!(toml, "\n[{FILES}]");
        }
        for (path, text) in files {
            _ = writeln!(toml, "{} = {}", quoted(path), quoted_lines(text));
        }
        toml.truncate(toml.trim_end().len());
        toml + "\n"
    }

    /// The hash that tells one experiment from another: of the spec without its name, and of what
    /// its files said.
    pub fn hash(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.body().as_bytes());
        for (path, text) in self.files() {
            hash.update(format!("{}\n{path}{}\n{text}", path.len(), text.len()));
        }
        hex(&hash.finalize())
    }

    /// Everything but the name.
    fn body(&self) -> String {
        let mut toml = format!("seed = {}\n", self.seed);
        for grid in &self.grids {
            let sizes: Vec<String> = grid.n.iter().map(u64::to_string).collect();
            _ = writeln!(toml, "\n[[grid]]");
            let algorithms: Vec<&str> = grid.algorithms.iter().map(|it| it.name.as_str()).collect();
            _ = writeln!(toml, "algorithms = {}", quoted_list(&algorithms));
            _ = writeln!(toml, "topologies = {}", quoted_list(&grid.topologies));
            _ = writeln!(toml, "n = [{}]", sizes.join(", "));
            _ = writeln!(toml, "runs = {}", grid.runs);
            if let Some(until) = grid.until {
                _ = writeln!(toml, "until = {until:?}");
            }
            if !grid.layouts.is_empty() {
                _ = writeln!(toml, "layouts = {}", quoted_list(&grid.layouts));
            }
            if !grid.ids.is_empty() {
                _ = writeln!(toml, "ids = {}", quoted_list(&grid.ids));
            }
            _ = writeln!(toml, "initiators = {}", quoted_list(&grid.initiators));
            _ = writeln!(toml, "timing = {}", quoted_list(&grid.timing));
            _ = writeln!(toml, "engine = {}", quoted(&grid.engine.to_string()));
            _ = writeln!(toml, "audit = {:?}", grid.audit);
        }
        // An empty list of sizes stands for layouts that name their own.
        toml.replace("n = []\n", "")
    }
}

fn quoted(text: &str) -> String {
    // JSON's escapes are TOML's, which has one more.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A text with its lines as lines.
fn quoted_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(quoted).collect();
    let inner = lines.iter().map(|line| &line[1..line.len() - 1]);
    // The first line break after the quotes does not count.
    format!("\"\"\"\n{}\"\"\"", inner.collect::<Vec<_>>().join("\n"))
}

fn quoted_list<T: fmt::Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(&item.to_string())).collect();
    format!("[{}]", items.join(", "))
}
