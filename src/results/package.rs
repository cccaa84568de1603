//! `datapackage.json`: what stands in the tables of a results folder, in the words of Data Package and
//! Table Schema of Frictionless Data, made of the same lists of columns as the tables themselves.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::write::write_whole;
use crate::experiment::error::Result;
use crate::experiment::key::CellKey;
use crate::model::row::{Kind, Row};

/// The name of its file.
pub(crate) const PACKAGE: &str = "datapackage.json";

/// What may stand in a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Content {
    Text,
    OneOf(&'static [&'static str]),
    Whole(u64),
    Real,
    /// From 0 to 1.
    Share,
    Truth,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    /// What it is called.
    pub name: String,
    about: String,
    pub(super) content: Content,
    /// Whether it is empty in no row.
    pub(super) always: bool,
}

impl Field {
    fn new(name: &str, about: &str, content: Content) -> Self {
        Field { name: name.to_owned(), about: about.to_owned(), content, always: false }
    }

    /// Words.
    pub fn text(name: &str, about: &str) -> Self {
        Field::new(name, about, Content::Text)
    }

    /// One of these words.
    pub fn one_of(name: &str, about: &str, words: &'static [&'static str]) -> Self {
        Field::new(name, about, Content::OneOf(words))
    }

    /// A whole number from 0 on.
    pub fn whole(name: &str, about: &str) -> Self {
        Field::new(name, about, Content::Whole(0))
    }

    /// Any number.
    pub fn real(name: &str, about: &str) -> Self {
        Field::new(name, about, Content::Real)
    }

    /// A probability, or another part of 1.
    pub fn share(name: &str, about: &str) -> Self {
        Field::new(name, about, Content::Share)
    }

    /// `true` or `false`.
    pub fn truth(name: &str, about: &str) -> Self {
        Field::new(name, about, Content::Truth)
    }

    /// The same, and empty in no row.
    pub fn always(self) -> Self {
        Field { always: true, ..self }
    }

    fn json(&self) -> Value {
        let kind = match self.content {
            Content::Text | Content::OneOf(_) => "string",
            Content::Whole(_) => "integer",
            Content::Real | Content::Share => "number",
            Content::Truth => "boolean",
        };
        let mut constraints = Map::new();
        if self.always {
            constraints.insert("required".to_owned(), true.into());
        }
        match self.content {
            Content::OneOf(words) => _ = constraints.insert("enum".to_owned(), words.into()),
            Content::Whole(least) => _ = constraints.insert("minimum".to_owned(), least.into()),
            Content::Share => {
                constraints.insert("minimum".to_owned(), 0.into());
                constraints.insert("maximum".to_owned(), 1.into());
            }
            Content::Text | Content::Real | Content::Truth => {}
        }
        let mut field = json!({ "name": self.name, "type": kind, "description": self.about });
        if !constraints.is_empty() {
            field["constraints"] = constraints.into();
        }
        field
    }
}

/// The columns that tell one cell from another.
pub(crate) fn key_fields() -> Vec<Field> {
    let mut fields = series_fields();
    let [.., (name, about)] = KEY_COLUMNS;
    fields.push(Field::new(name, about, Content::Whole(1)).always());
    fields
}

/// The same without the last, n.
pub(crate) fn series_fields() -> Vec<Field> {
    let [parts @ .., _] = KEY_COLUMNS;
    parts.map(|(name, about)| Field::text(name, about).always()).to_vec()
}

/// The columns of a key with what stands in them.
const KEY_COLUMNS: [(&str, &str); CellKey::COLUMNS.len()] = {
    let mut columns = [("", ""); CellKey::COLUMNS.len()];
    let mut place = 0;
    while place < columns.len() {
        columns[place] = (CellKey::COLUMNS[place], CellKey::ABOUT[place]);
        place += 1;
    }
    columns
};

/// A table of a folder.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Resource {
    /// Its file without the ending.
    pub name: &'static str,
    /// What a row of it is.
    pub about: &'static str,
    /// Its columns, in order.
    pub fields: Vec<Field>,
    /// The columns that tell its rows apart.
    pub key: Vec<String>,
}

impl Resource {
    /// A table whose rows are told apart by the first columns, so many.
    pub fn new(
        name: &'static str,
        about: &'static str,
        fields: Vec<Field>,
        key_columns: usize,
    ) -> Self {
        let key = fields.iter().take(key_columns).map(|field| field.name.clone()).collect();
        Resource { name, about, fields, key }
    }

    fn json(&self) -> Value {
        let fields: Vec<Value> = self.fields.iter().map(Field::json).collect();
        json!({
            "profile": "tabular-data-resource",
            "name": self.name,
            "path": format!("{}.csv", self.name),
            "description": self.about,
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "schema": { "fields": fields, "primaryKey": self.key, "missingValues": [""] },
        })
    }
}

/// The tables that a run leaves.
pub(crate) fn run_resources() -> Vec<Resource> {
    let mut runs = key_fields();
    let cell = runs.len();
    runs.extend(Row::COLUMNS.map(|column| match column.kind {
        Kind::Whole => Field::whole(column.name, column.about).always(),
        Kind::MaybeWhole => Field::whole(column.name, column.about),
        Kind::MaybeReal => Field::real(column.name, column.about),
    }));
    let mut kinds = key_fields();
    kinds.extend([
        Field::text("kind", "the kind of message").always(),
        Field::real("messages_mean", "mean number of such messages per run").always(),
    ]);
    vec![
        // The number of the run comes right behind the columns of its cell.
        Resource::new("runs", "one row per election", runs, cell + 1),
        Resource::new("kinds", "one row per cell and kind of message", kinds, cell + 1),
    ]
}

/// Writes the file into a results folder: equal results give equal bytes.
pub(crate) fn write_package(folder: &Path, name: &str, resources: &[Resource]) -> Result<()> {
    let resources: Vec<Value> = resources.iter().map(Resource::json).collect();
    let package = json!({
        "profile": "tabular-data-package",
        "name": slug(name),
        "title": name,
        "description": "Elections and what they cost, measured by hustings; spec.toml says what was asked \
                        for, manifest.json how it came about",
        "resources": resources,
    });
    write_whole(&folder.join(PACKAGE), |file| file.write_all(format!("{package:#}\n").as_bytes()))
}

/// The name of a package: small letters, digits, points, dashes and underlines.
fn slug(name: &str) -> String {
    let letter = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() || "._-".contains(c) => c,
        _ => '-',
    };
    let slug: String = name.chars().map(letter).collect();
    if slug.is_empty() { "results".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::super::columns::{RUN_COLUMNS, kind_columns};
    use super::*;

    #[test]
    fn the_schema_has_the_columns_of_the_tables_in_their_order() {
        let [runs, kinds] = &run_resources()[..] else { panic!("two tables") };
        let names = |table: &Resource| -> Vec<String> {
            table.fields.iter().map(|field| field.name.clone()).collect()
        };
        assert_eq!(names(runs), RUN_COLUMNS);
        assert_eq!(names(kinds), kind_columns().collect::<Vec<_>>());
        assert_eq!(
            (runs.key.last(), kinds.key.last()),
            (Some(&"run".into()), Some(&"kind".into()))
        );
    }

    #[test]
    fn a_package_has_a_name_that_its_readers_take() {
        assert_eq!(slug("My résults, 2"), "my-r-sults--2");
        assert_eq!(slug(""), "results");
    }
}
