//! Formulas in n, as bounds are written: `5*n*ceil(log2(n))`, `n*harmonic(n)*1.01`.
//!
//! ```text
//! sum      = product (("+" | "-") product)*
//! product  = factor (("*" | "/") factor)*
//! factor   = "-" factor | power
//! power    = atom ("^" factor)?
//! atom     = number | variable | function "(" sum ("," sum)* ")" | "(" sum ")"
//! ```
//!
//! A formula becomes a list of steps for a stack of numbers, so that neither long nor deep ones can
//! exhaust the stack of the machine.

use std::fmt;

use crate::model::error::{Input, nearest};
use crate::model::theory;

/// The names that may stand in a formula, with what they mean.
pub const VARIABLES: [(&str, &str); 5] = [
    ("n", "the number of nodes"),
    ("edges", "the number of links"),
    ("initiators", "the number of those who start"),
    ("diameter", "the longest distance between two nodes"),
    ("leaves", "the number of nodes with one link"),
];

/// The values of the variables, in the order of [`VARIABLES`]; unknown ones are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Variables {
    /// The number of nodes.
    pub n: Option<f64>,
    /// The number of links.
    pub edges: Option<f64>,
    /// The number of those who start.
    pub initiators: Option<f64>,
    /// The longest distance between two nodes.
    pub diameter: Option<f64>,
    /// The number of nodes with one link.
    pub leaves: Option<f64>,
}

impl Variables {
    /// A ring of `n` nodes of which so many start, where that is fixed.
    pub fn ring(n: u64, initiators: Option<u64>) -> Self {
        let number = |value: u64| Some(value as f64);
        Variables {
            n: number(n),
            edges: number(n),
            initiators: initiators.and_then(number),
            diameter: number(n / 2),
            leaves: number(0),
        }
    }

    fn get(&self, place: usize) -> Option<f64> {
        [self.n, self.edges, self.initiators, self.diameter, self.leaves][place]
    }
}

/// What an operator does with the numbers on its left and right.
type Operator = fn(f64, f64) -> f64;

/// A function of one number, or of two and more.
#[derive(Debug, Clone, Copy)]
enum Function {
    One(fn(f64) -> f64),
    Many(Operator),
}

/// The functions by name.
const FUNCTIONS: [(&str, Function); 8] = [
    ("log2", Function::One(f64::log2)),
    ("ln", Function::One(f64::ln)),
    ("ceil", Function::One(f64::ceil)),
    ("floor", Function::One(f64::floor)),
    ("sqrt", Function::One(f64::sqrt)),
    ("harmonic", Function::One(harmonic)),
    ("min", Function::Many(f64::min)),
    ("max", Function::Many(f64::max)),
];

/// H_x for whole x from 0 to 2^53; not a number elsewhere.
fn harmonic(x: f64) -> f64 {
    let whole = x >= 0.0 && x <= (1u64 << 53) as f64 && x.fract() == 0.0;
    if whole { theory::harmonic(x as u64) } else { f64::NAN }
}

/// One step with a stack of numbers.
#[derive(Debug, Clone, Copy)]
enum Step {
    Number(f64),
    Variable(usize),
    Negate,
    Binary(Operator),
    /// A function by its place, and how many numbers it takes.
    Call(usize, usize),
}

/// A formula that has been read.
#[derive(Debug, Clone)]
pub struct Formula {
    text: String,
    /// Each with the position in the text that it comes from.
    steps: Vec<(usize, Step)>,
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// So long a formula is surely a mistake.
const LONGEST: usize = 1000;

/// So many parentheses in each other are surely a mistake.
const DEEPEST: usize = 64;

impl Formula {
    /// Reads a formula; an error names the position, counted from 1.
    pub fn parse(text: &str) -> Result<Self, Input> {
        let text = text.trim();
        if text.len() > LONGEST {
            let start: String = text.chars().take(20).collect();
            let problem = format!("a formula has at most {LONGEST} characters");
            let remedy = "write it shorter";
            return Err(Input::new("formula", format!("{start}..."), problem, remedy));
        }
        let mut reader = Reader { text, place: 0, depth: 0, steps: Vec::new() };
        reader.sum()?;
        match reader.peek() {
            None => Ok(Formula { text: text.to_owned(), steps: reader.steps }),
            Some(')') => Err(reader.wrong("this parenthesis was never opened", "remove it")),
            Some(_) => {
                let remedy = "put one of + - * / ^ in between, as in 2*n";
                Err(reader.wrong("an operator is missing", remedy))
            }
        }
    }

    /// Its value. What has none, or is beyond all numbers, is no bound and an error.
    pub fn value(&self, variables: &Variables) -> Result<f64, Input> {
        let mut stack: Vec<f64> = Vec::new();
        for &(place, step) in &self.steps {
            let mut pop = || stack.pop().unwrap_or(f64::NAN);
            let value = match step {
                Step::Number(number) => number,
                Step::Variable(name) => variables.get(name).ok_or_else(|| {
                    let (name, meaning) = VARIABLES[name];
                    let problem = format!("{name}, {meaning}, is not fixed here");
                    wrong(&self.text, place, &problem, "leave it out")
                })?,
                Step::Negate => -pop(),
                Step::Binary(operator) => {
                    let right = pop();
                    operator(pop(), right)
                }
                Step::Call(function, count) => match FUNCTIONS[function].1 {
                    Function::One(function) => function(pop()),
                    Function::Many(function) => {
                        (1..count).fold(pop(), |value, _| function(value, pop()))
                    }
                },
            };
            if !value.is_finite() {
                let problem = "this has no value for n = ";
                let n = variables.n.map_or("?".to_owned(), |n| n.to_string());
                let remedy = "state a bound that is a number for every n in the experiment";
                return Err(wrong(&self.text, place, &format!("{problem}{n}"), remedy));
            }
            stack.push(value);
        }
        Ok(stack.pop().unwrap_or(f64::NAN))
    }
}

/// The error at a byte of the text, told as a position in characters.
fn wrong(text: &str, place: usize, problem: &str, remedy: &str) -> Input {
    let position = text.get(..place).map_or(0, |before| before.chars().count()) + 1;
    let value = if text.is_empty() { "(nothing)" } else { text };
    Input::new("formula", value, format!("at position {position}: {problem}"), remedy)
}

struct Reader<'a> {
    text: &'a str,
    /// The byte that is read next.
    place: usize,
    depth: usize,
    steps: Vec<(usize, Step)>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.place..]
    }

    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        self.place = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.place += wanted.len_utf8();
        }
        found
    }

    fn wrong(&self, problem: &str, remedy: &str) -> Input {
        wrong(self.text, self.place, problem, remedy)
    }

    /// Goes one level deeper for the length of `read`.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<(), Input>) -> Result<(), Input> {
        if self.depth == DEEPEST {
            let problem = format!("more than {DEEPEST} levels of parentheses, signs and powers");
            return Err(self.wrong(&problem, "write it simpler"));
        }
        self.depth += 1;
        read(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn sum(&mut self) -> Result<(), Input> {
        self.chain(Self::product, [('+', |a, b| a + b), ('-', |a, b| a - b)])
    }

    fn product(&mut self) -> Result<(), Input> {
        self.chain(Self::factor, [('*', |a, b| a * b), ('/', |a, b| a / b)])
    }

    /// Parts that are joined by operators of one rank, from left to right.
    fn chain(
        &mut self,
        part: fn(&mut Self) -> Result<(), Input>,
        operators: [(char, Operator); 2],
    ) -> Result<(), Input> {
        part(self)?;
        loop {
            let next = self.peek();
            let Some((sign, operator)) =
                operators.into_iter().find(|(sign, _)| next == Some(*sign))
            else {
                return Ok(());
            };
            let place = self.place;
            self.take(sign);
            part(self)?;
            self.steps.push((place, Step::Binary(operator)));
        }
    }

    fn factor(&mut self) -> Result<(), Input> {
        if self.peek() == Some('-') {
            let place = self.place;
            self.take('-');
            self.deeper(Self::factor)?;
            self.steps.push((place, Step::Negate));
            return Ok(());
        }
        self.atom()?;
        if self.peek() == Some('^') {
            let place = self.place;
            self.take('^');
            self.deeper(Self::factor)?;
            self.steps.push((place, Step::Binary(f64::powf)));
        }
        Ok(())
    }

    fn atom(&mut self) -> Result<(), Input> {
        match self.peek() {
            Some('(') => {
                self.take('(');
                self.deeper(Self::sum)?;
                self.close()
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.name(),
            Some(_) => Err(self.wrong("this means nothing here", EXAMPLE)),
            None => Err(self.wrong("the formula ends too early", EXAMPLE)),
        }
    }

    fn close(&mut self) -> Result<(), Input> {
        match self.take(')') {
            true => Ok(()),
            false => Err(self.wrong("a closing parenthesis is missing", "add )")),
        }
    }

    fn number(&mut self) -> Result<(), Input> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let Ok(number) = rest[..end].parse() else {
            return Err(self.wrong("this is not a number", "write it as 2 or 1.01"));
        };
        self.steps.push((self.place, Step::Number(number)));
        self.place += end;
        Ok(())
    }

    fn name(&mut self) -> Result<(), Input> {
        let start = self.place;
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        if let Some(variable) = VARIABLES.iter().position(|&(known, _)| known == name) {
            self.place += end;
            self.steps.push((start, Step::Variable(variable)));
            return Ok(());
        }
        let Some(function) = FUNCTIONS.iter().position(|&(known, _)| known == name) else {
            return Err(self.wrong(&format!("there is no {name}"), &names(&name)));
        };
        self.place += end;
        if !self.take('(') {
            let remedy = format!("write {name}(n)");
            return Err(self.wrong(&format!("{name} is a function"), &remedy));
        }
        let mut count = 0;
        loop {
            self.deeper(Self::sum)?;
            count += 1;
            if !self.take(',') {
                break;
            }
        }
        let fits = match FUNCTIONS[function].1 {
            Function::One(_) => count == 1,
            Function::Many(_) => count >= 2,
        };
        if !fits {
            let takes = if count == 1 { "two or more numbers" } else { "one number" };
            return Err(self.wrong(&format!("{name} takes {takes}"), EXAMPLE));
        }
        self.close()?;
        self.steps.push((start, Step::Call(function, count)));
        Ok(())
    }
}

const EXAMPLE: &str = "write it like 5*n*ceil(log2(n)) or max(n, edges)";

/// What may stand in a formula, the nearest to `name` first.
fn names(name: &str) -> String {
    let known = || VARIABLES.iter().map(|&(it, _)| it).chain(FUNCTIONS.iter().map(|&(it, _)| it));
    let all = format!("there are {}", known().collect::<Vec<_>>().join(", "));
    match nearest(name, known()) {
        Some(nearest) => format!("did you mean {nearest}? {all}"),
        None => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str, n: u64) -> f64 {
        let formula = Formula::parse(text).unwrap_or_else(|error| panic!("{error}"));
        formula.value(&Variables::ring(n, Some(2))).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn formulas_are_computed_as_they_are_read() {
        for (text, expected) in [
            ("n*(n+1)/2", 36.0),
            ("5*n*ceil(log2(n))", 120.0),
            ("2 - 3 - 4", -5.0),
            ("16 / 4 / 2", 2.0),
            ("2^3^2", 512.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2*-3", -6.0),
            (" 1.5 + .5 ", 2.0),
            ("min(3, n, 2) + max(1, n)", 10.0),
            ("floor(sqrt(n)) + edges + initiators + diameter + leaves", 16.0),
            ("harmonic(4)*12", 25.0),
        ] {
            assert!((value(text, 8) - expected).abs() < 1e-12, "{text}: {}", value(text, 8));
        }
        assert_eq!(value("ln(n)", 7), 7f64.ln());
    }

    #[test]
    fn mistakes_are_named_with_their_position() {
        for (text, position, words) in [
            ("", 1, "ends too early"),
            ("n*", 3, "ends too early"),
            ("2n", 2, "an operator is missing"),
            ("n + m", 5, "there are n, edges, initiators, diameter, leaves, log2"),
            ("n*harmonc(n)", 3, "did you mean harmonic?"),
            ("log2 n", 6, "log2(n)"),
            ("log2(n, n)", 10, "log2 takes one number"),
            ("min(n)", 6, "min takes two or more numbers"),
            ("(n", 3, "closing parenthesis"),
            ("n)", 2, "never opened"),
            ("é", 1, "there is no é"),
            ("n + é*", 5, "there is no é"),
            ("1.2.3", 1, "not a number"),
            ("n & 2", 3, "operator"),
        ] {
            let error = Formula::parse(text).expect_err(text).to_string();
            assert!(error.contains(&format!("at position {position}: ")), "{text}: {error}");
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn what_has_no_value_is_no_bound() {
        for (text, position) in
            [("1/(n-8)", 2), ("log2(n-8)", 1), ("sqrt(-n)", 1), ("harmonic(n/3)", 1), ("n^999", 2)]
        {
            let formula = Formula::parse(text).expect(text);
            let error = formula.value(&Variables::ring(8, None)).expect_err(text).to_string();
            assert!(error.contains(&format!("at position {position}: ")), "{error}");
        }
        let formula = Formula::parse("n*initiators").expect("good");
        let error = formula.value(&Variables::ring(8, None)).expect_err("open").to_string();
        assert!(error.contains("at position 3: initiators"), "{error}");
    }

    #[test]
    fn depth_and_length_are_limited() {
        for text in ["(".repeat(900), "-".repeat(900), format!("n{}", "^n".repeat(400))] {
            let error = Formula::parse(&text).expect_err("too deep").to_string();
            assert!(error.contains("64 levels"), "{error}");
        }
        assert!(Formula::parse(&"n+".repeat(501)).is_err());
        assert_eq!(value(&format!("n{}", "+n".repeat(400)), 1), 401.0);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[n0-9.+*/^(), a-zé-]{0,60}") {
            if let Ok(formula) = Formula::parse(&text) {
                _ = formula.value(&Variables::ring(5, None)).map(|value| assert!(value.is_finite()));
                prop_assert_eq!(Formula::parse(&formula.to_string()).ok(), Some(formula));
            }
        }
    }
}
