//! The ways to write a trace, by name, and how much each can show.

use std::str::FromStr;

use super::view::{LONGEST, Trace};
use super::{dot, json, mermaid, shiviz, svg, text, tikz};
use crate::model::error::Input;

/// A way to write a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people, in 80 columns.
    Text,
    /// For programs: lines of JSON.
    Json,
    /// A sequence diagram.
    Mermaid,
    /// A log with vector clocks.
    Shiviz,
    /// The network, for Graphviz.
    Dot,
    /// The space-time diagram, for TeX.
    Tikz,
    /// The space-time diagram as a drawing of its own.
    Svg,
}

/// A format's name, the most messages that it shows, and how it is written.
type Line = (Format, &'static str, u64, fn(&Trace) -> String);

const FORMATS: [Line; 7] = [
    (Format::Text, "text", LONGEST, text::text),
    (Format::Json, "json", LONGEST, json::json),
    // Mermaid itself refuses long texts.
    (Format::Mermaid, "mermaid", 100, mermaid::mermaid),
    (Format::Shiviz, "shiviz", LONGEST, shiviz::shiviz),
    (Format::Dot, "dot", LONGEST, dot::dot),
    // TeX's memory ends there.
    (Format::Tikz, "tikz", 1000, tikz::tikz),
    (Format::Svg, "svg", 20_000, svg::svg),
];

/// A vector clock has a number for every node, and every event has one: so many numbers at most.
const CLOCKS: u64 = 20_000_000;

impl Format {
    fn line(self) -> &'static Line {
        // Every format has its line: the array is as long as the enum, and a test goes through it.
        FORMATS.iter().find(|line| line.0 == self).unwrap_or(&FORMATS[0])
    }

    /// Refuses an election of so many messages on so many nodes if this cannot show it.
    pub fn check(self, messages: u64, n: u64) -> Result<(), Input> {
        let &(_, name, most, _) = self.line();
        let refuse =
            |problem: String, remedy: &str| Err(Input::new("trace", name, problem, remedy));
        if messages > LONGEST {
            let problem =
                format!("this election has {messages} messages, and a trace at most {LONGEST}");
            return refuse(problem, "use a smaller n");
        }
        if messages > most {
            let problem =
                format!("this election has {messages} messages, and {name} shows at most {most}");
            return refuse(problem, "use a smaller n, or --trace json");
        }
        // Everybody may start without having got a message.
        if self == Format::Shiviz && (messages + n).saturating_mul(n) > CLOCKS {
            let problem =
                format!("the vector clocks of {messages} messages on {n} nodes are too large");
            return refuse(problem, "use a smaller n, or --trace json");
        }
        Ok(())
    }

    /// The trace in this form.
    pub fn write(self, trace: &Trace) -> String {
        (self.line().3)(trace)
    }
}

impl FromStr for Format {
    type Err = Input;

    fn from_str(text: &str) -> Result<Self, Input> {
        // A drawing is a file, so nobody asks for it by name.
        let named = FORMATS.iter().filter(|line| line.0 != Format::Svg);
        let names = named.clone().map(|line| line.1);
        let all = "there are text, json, mermaid, shiviz, dot and tikz, or a FILE.svg to draw";
        let found = named.clone().find(|line| line.1 == text).map(|line| line.0);
        found.ok_or_else(|| Input::unknown("trace", text, names, all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_line_and_its_name() {
        for (format, name, ..) in FORMATS {
            assert_eq!(format.line().1, name);
            assert_eq!(name.parse().ok(), (format != Format::Svg).then_some(format));
        }
        assert!("txet".parse::<Format>().is_err_and(|error| error.remedy.contains("text")));
    }

    #[test]
    fn what_is_too_long_is_refused() {
        assert!(Format::Mermaid.check(100, 8).is_ok() && Format::Mermaid.check(101, 8).is_err());
        assert!(
            Format::Text.check(LONGEST, 8).is_ok() && Format::Text.check(LONGEST + 1, 8).is_err()
        );
        assert!(Format::Shiviz.check(100_000, 1000).is_err());
    }
}
