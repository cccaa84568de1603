//! A spec file: TOML that is read value by value, so that errors can name the line.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::draft::{Checked, Draft, Raw};
use super::grid::{GRID_KEYS, key_of};
use super::whole::Spec;
use super::written::FILES;
use crate::engine::Registry;
use crate::experiment::bounds::{Bound, TABLES};
use crate::experiment::error::Result;
use crate::experiment::files::{Files, read_text};
use crate::experiment::names::Names;
use crate::model::error::{Input, nearest};

/// The keys of the whole experiment.
pub const SPEC_KEYS: &[(&str, &str)] = &[
    ("name", "the name of the results folder"),
    ("seed", "the master seed"),
    ("grid", "[[grid]] tables; each inherits the keys above it"),
    ("bounds", "[bounds] table: the most messages of a run, by algorithm: lelann = \"n^2\""),
    ("bounds-mean", "[bounds-mean] table: the same for the mean of a cell"),
    ("files", "[files] table: what the files said that topologies and layouts name, by path"),
];

impl Spec {
    /// Reads a spec file.
    pub fn read(path: &Path, registry: &Registry) -> Result<Self> {
        Spec::read_with(path, &Draft::default(), registry)
    }

    /// Reads a spec file; what `flags` say replaces its keys, in every grid.
    pub fn read_with(path: &Path, flags: &Draft, registry: &Registry) -> Result<Self> {
        let text = read_text(path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let names = Names { registry, files: &Files::on_disk() };
        Spec::parse_with(&text, &path.display().to_string(), &stem, flags, names)
    }

    /// Parses a spec; `file` is its name in error messages.
    pub fn parse(text: &str, file: &str, usual_name: &str, registry: &Registry) -> Result<Self> {
        let names = Names { registry, files: &Files::on_disk() };
        Spec::parse_with(text, file, usual_name, &Draft::default(), names)
    }

    /// Parses a spec; what `flags` say replaces its keys, in every grid. A file that it names says
    /// what the spec has kept of it, or is one of those in `names`.
    pub fn parse_with(
        text: &str,
        file: &str,
        usual_name: &str,
        flags: &Draft,
        names: Names<'_>,
    ) -> Result<Self> {
        let line = |offset: usize| {
            let before = text.get(..offset).unwrap_or(text);
            format!("{file}, line {}", before.matches('\n').count() + 1)
        };
        let document = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or(file.to_owned(), |span| line(span.start));
            let message = error.message().replace('\n', ", ");
            let remedy = "correct it; a line looks like runs = 1000";
            Input { place: Some(place), ..Input::new("spec", "(TOML)", message, remedy) }
        })?;
        let mut grids = Vec::new();
        for (key, value) in document.get_ref() {
            if key.get_ref() == "grid" {
                for table in tables(value, &line)? {
                    grids.push(table_draft(table, &line, GRID_KEYS, &[])?);
                }
            }
        }
        let mut whole_draft = table_draft(document.get_ref(), &line, GRID_KEYS, SPEC_KEYS)?;
        for draft in grids.iter_mut().chain([&mut whole_draft]) {
            draft.take_over(flags);
        }
        keep_files(document.get_ref(), &line, names.files)?;
        let bounds = bounds(document.get_ref(), &line, names.registry)?;
        Ok(Spec { bounds, ..Spec::from_drafts(&whole_draft, &grids, usual_name, names)? })
    }
}

/// The tables of `[[grid]]`.
fn tables<'a, 'i>(
    value: &'a Spanned<DeValue<'i>>,
    line: &impl Fn(usize) -> String,
) -> Checked<Vec<&'a DeTable<'i>>> {
    let refuse = |span: std::ops::Range<usize>| {
        let problem = "grids are tables";
        let error = Input::new("grid", "(value)", problem, "begin each with a line [[grid]]");
        Input { place: Some(line(span.start)), ..error }
    };
    match value.get_ref() {
        DeValue::Array(array) => array
            .iter()
            .map(|item| match item.get_ref() {
                DeValue::Table(table) => Ok(table),
                _ => Err(refuse(item.span())),
            })
            .collect(),
        _ => Err(refuse(value.span())),
    }
}

/// Takes in what the spec has kept of its files.
fn keep_files(
    document: &DeTable<'_>,
    line: &impl Fn(usize) -> String,
    files: &Files,
) -> Checked<()> {
    for (key, value) in document.iter().filter(|(key, _)| key.get_ref() == FILES) {
        let refuse = |span: std::ops::Range<usize>, problem: &str| {
            let remedy = "write the text of a file in quotes behind its path";
            let error = Input::new(FILES, "(value)", problem, remedy);
            Input { place: Some(line(span.start)), ..error }
        };
        let DeValue::Table(entries) = value.get_ref() else {
            return Err(refuse(key.span(), "files are a table"));
        };
        for (path, text) in entries {
            match text.get_ref() {
                DeValue::String(text) => files.keep(path.get_ref(), text),
                _ => return Err(refuse(text.span(), "a file is text")),
            }
        }
    }
    Ok(())
}

/// The bounds of a spec, by table and algorithm.
fn bounds(
    document: &DeTable<'_>,
    line: &impl Fn(usize) -> String,
    registry: &Registry,
) -> Checked<Vec<Bound>> {
    let mut bounds = Vec::new();
    for (table, of) in TABLES {
        let stated = document.iter().filter(|(key, _)| key.get_ref() == table);
        for (key, value) in stated {
            let DeValue::Table(entries) = value.get_ref() else {
                let remedy = "begin a table with a line [bounds]";
                let error = Input::new(table, "(value)", "bounds are a table", remedy);
                return Err(Input { place: Some(line(key.span().start)), ..error });
            };
            for (algorithm, formula) in entries {
                let text = raw(formula.get_ref()).map_or(String::new(), |raw| raw.to_string());
                let bound = Bound::new(registry, algorithm.get_ref(), of, &text);
                let place = || Some(line(algorithm.span().start));
                bounds.push(bound.map_err(|error| Input { place: place(), ..error })?);
            }
        }
    }
    Ok(bounds)
}

/// The draft of a table, all of whose keys must be known.
fn table_draft(
    table: &DeTable<'_>,
    line: &impl Fn(usize) -> String,
    grid_keys: &[(&str, &str)],
    more_keys: &[(&str, &str)],
) -> Checked<Draft> {
    let mut draft = Draft::default();
    for (key, value) in table {
        let place = line(key.span().start);
        let name = key_of(key.get_ref());
        let keys = || grid_keys.iter().chain(more_keys).map(|&(known, _)| known);
        if !keys().any(|known| known == name) {
            let all = format!("the keys here are {}", keys().collect::<Vec<_>>().join(", "));
            let remedy = match nearest(name, keys()) {
                Some(known) => format!("did you mean {known}? {all}"),
                None => all,
            };
            let error = Input::new("key", name, "there is no such key", remedy);
            return Err(Input { place: Some(place), ..error });
        }
        if ["grid", FILES].contains(&name) || TABLES.iter().any(|(table, _)| *table == name) {
            continue;
        }
        let raw = raw(value.get_ref()).ok_or_else(|| {
            let kind = value.get_ref().type_str();
            let error = Input::new(
                name,
                format!("({kind})"),
                "this kind of value has no meaning here",
                "write text in quotes, a number, true or false, or a list of these",
            );
            Input { place: Some(place.clone()), ..error }
        })?;
        if let Some((_, Some(first))) = draft.get(name) {
            let problem = format!("it is set already, in {first}");
            let error = Input::new(name, raw, problem, "keep one of the two");
            return Err(Input { place: Some(place), ..error });
        }
        draft.set(name, raw, Some(place));
    }
    Ok(draft)
}

fn raw(value: &DeValue<'_>) -> Option<Raw> {
    Some(match value {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Raw::Number(number.as_str().to_owned()),
        DeValue::Float(number) => Raw::Number(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Raw::Truth(*truth),
        DeValue::Array(array) => {
            Raw::List(array.iter().map(|item| raw(item.get_ref())).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Spec> {
        Spec::parse(text, "small.toml", "small", &Registry::standard())
    }

    const SMALL: &str = "algorithms = ['chang-roberts']\nn = '16..64'\n";

    #[test]
    fn defaults_are_filled_in_and_the_complete_spec_means_the_same() {
        let spec = parse(SMALL).expect("a good spec");
        assert_eq!((spec.name.as_str(), spec.seed), ("small", 1));
        assert_eq!(spec.grids[0].n, [16, 32, 64]);
        assert_eq!(spec.grids[0].runs, 1000);
        let again = parse(&spec.to_toml()).expect("a good spec");
        assert_eq!(again.to_toml(), spec.to_toml());
        assert_eq!(again.hash(), spec.hash());
    }

    #[test]
    fn grids_inherit_from_the_whole() {
        let text = "n = [8, '10..30 step 10']\nruns = 5\n[[grid]]\nalgorithms = 'lelann'\n\
                    [[grid]]\nalgorithms = ['peterson', 'clockwise']\nruns = 7\nuntil = '0.5%'\n";
        let spec = parse(text).expect("a good spec");
        assert_eq!(spec.grids[0].n, [8, 10, 20, 30]);
        assert_eq!((spec.grids[0].runs, spec.grids[1].runs), (5, 7));
        assert_eq!((spec.grids[0].until, spec.grids[1].until), (None, Some(0.005)));
        assert_eq!(parse(&spec.to_toml()).expect("a good spec").to_toml(), spec.to_toml());
    }

    #[test]
    fn bounds_are_kept_and_do_not_change_the_hash() {
        let stated = "[bounds]\n'chang-roberts' = 'n*(n+1)/2'\nlelann = 'n^2'\n\
                      [bounds-mean]\n'chang-roberts' = \"n*harmonic(n)*1.01\"\n";
        let spec = parse(&format!("{SMALL}{stated}")).expect("a good spec");
        assert_eq!(spec.bounds.len(), 3);
        assert_eq!(parse(&spec.to_toml()).expect("a good spec").to_toml(), spec.to_toml());
        assert_eq!(spec.hash(), parse(SMALL).expect("good").hash());
        for (bad, words) in [
            ("bounds = 3", "bounds = (value) in small.toml, line 3"),
            ("[bounds]\nlelan = 'n'", "lelan in small.toml, line 4"),
            ("[bounds]\nlelann = 'm'", "in small.toml, line 4: at position 1: there is no m"),
        ] {
            let error = parse(&format!("{SMALL}{bad}\n")).expect_err(bad).to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn the_name_does_not_change_the_hash_and_the_seed_does() {
        let hash = |more: &str| parse(&format!("{more}\n{SMALL}")).expect("good").hash();
        assert_eq!(hash(""), hash("name = 'other'"));
        assert_ne!(hash(""), hash("seed = 2"));
    }

    #[test]
    fn singular_and_plural_are_the_same_key() {
        let plural = "algorithms = 'lelann'\nn = 8\nlayouts = 'random'\ntiming = 'sync'\n\
                      topologies = 'ring'\ninitiators = 'all'\nids = 'dense'\n";
        let singular = "algorithm = 'lelann'\nn = 8\nlayout = 'random'\ntimings = 'sync'\n\
                        topology = 'ring'\ninitiator = 'all'\nid = 'dense'\n";
        let toml = |text| parse(text).expect("a good spec").to_toml();
        assert_eq!(toml(singular), toml(plural));
        let both = parse("algorithm = 'lelann'\nalgorithms = 'peterson'\nn = 8\n");
        let error = both.expect_err("twice").to_string();
        assert!(error.contains("algorithms = peterson in small.toml, line 2"), "{error}");
        assert!(error.contains("set already, in small.toml, line 1"), "{error}");
    }

    #[test]
    fn an_unknown_key_names_its_line_and_the_nearest() {
        let error = parse("runs = 3\nalgoritms = ['lelann']\n").expect_err("unknown").to_string();
        assert!(error.contains("algoritms in small.toml, line 2"), "{error}");
        assert!(error.contains("did you mean algorithms?"), "{error}");
    }
}
