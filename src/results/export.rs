//! The runs of a folder as a Parquet file: the columns of `runs.csv`, each with its type.
//!
//! Types come from the fields of `datapackage.json`. Rows are written in groups, so that memory does not
//! grow with them; the hash of `runs.csv` is known before the end of the file is written.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::package::{Content, Field, run_resources};
use super::rows::Run;
use super::table::{CellRecord, Results};
use crate::experiment::error::{Error, Result};
use crate::model::error::Input;

/// So many rows are in memory, and in a group of the file.
const GROUP: usize = 1 << 16;

/// Who has written the file, as its end says.
const WRITER: &str = concat!("hustings version ", env!("CARGO_PKG_VERSION"));

/// How that begins, whatever the version.
const MARK: &[u8] = b"hustings version ";

/// How a Parquet file begins and ends.
const MAGIC: &[u8; 4] = b"PAR1";

/// Writes all runs of a folder as a Parquet file. Unknown is null; whole numbers are unsigned.
/// Equal results give equal bytes. What was written counts only if all was well.
pub fn write_parquet(results: &Results, file: &mut (dyn Write + Send)) -> Result<()> {
    write_in_groups(results, file, GROUP)
}

fn write_in_groups(results: &Results, file: &mut (dyn Write + Send), group: usize) -> Result<()> {
    let mut table = Table::new(file, group)?;
    let mut written = Ok(());
    results.gather(
        |record, _| Key::of(record),
        |key, run| {
            if written.is_ok() {
                written = table.push(key, run);
            }
        },
        |_, _| {},
    )?;
    written?;
    table.close()
}

/// Whether there is a Parquet file at this path that was written here.
pub fn is_our_parquet(path: &Path) -> std::io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    // At the end: what is said of the file, the length of that, and the magic word.
    let mut tail = [0; 8];
    if length < 12 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut tail)?;
    let [a, b, c, d, magic @ ..] = tail;
    let said = u64::from(u32::from_le_bytes([a, b, c, d]));
    if magic != *MAGIC || said > length - 12 {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(length - 8 - said))?;
    let mut about = Vec::new();
    file.take(said).read_to_end(&mut about)?;
    Ok(memchr::memmem::find(&about, MARK).is_some())
}

fn failed(error: ParquetError) -> Error {
    Error::Export(error.into())
}

/// What the rows of a cell begin with.
struct Key(Vec<String>);

impl Key {
    fn of(record: &CellRecord) -> Self {
        Key(record.key().columns().map(String::from).into())
    }
}

/// A table on its way into a file.
struct Table<'a> {
    file: SerializedFileWriter<&'a mut (dyn Write + Send)>,
    columns: Vec<Column>,
    rows: usize,
    group: usize,
}

impl<'a> Table<'a> {
    fn new(file: &'a mut (dyn Write + Send), group: usize) -> Result<Self> {
        let fields = run_resources().swap_remove(0).fields;
        let columns: Vec<Column> = fields.into_iter().map(Column::new).collect();
        let schema = columns.iter().map(|column| column.schema().map(Arc::new));
        let schema = schema.collect::<std::result::Result<_, _>>().map_err(failed)?;
        let schema = Type::group_type_builder("runs").with_fields(schema).build();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(WRITER.to_owned())
            .build();
        let schema = Arc::new(schema.map_err(failed)?);
        let file = SerializedFileWriter::new(file, schema, Arc::new(properties));
        Ok(Table { file: file.map_err(failed)?, columns, rows: 0, group })
    }

    fn push(&mut self, key: &Key, run: &Run<'_>) -> Result<()> {
        let fields = key.0.iter().map(String::as_bytes).chain(run.fields().iter().copied());
        for (column, field) in self.columns.iter_mut().zip(fields) {
            column.push(field)?;
        }
        self.rows += 1;
        if self.rows == self.group { self.flush() } else { Ok(()) }
    }

    /// Writes the rows at hand as a group.
    fn flush(&mut self) -> Result<()> {
        let mut group = self.file.next_row_group().map_err(failed)?;
        for column in &mut self.columns {
            if let Some(writer) = group.next_column().map_err(failed)? {
                column.write(writer).map_err(failed)?;
            }
        }
        group.close().map_err(failed)?;
        self.rows = 0;
        Ok(())
    }

    fn close(mut self) -> Result<()> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.file.close().map_err(failed)?;
        Ok(())
    }
}

/// The rows of a column that are not written yet.
struct Column {
    field: Field,
    /// 1 for each row in which it is known, else 0.
    known: Vec<i16>,
    values: Values,
}

/// What is known of them, in the types of the file.
enum Values {
    Text(Vec<ByteArray>),
    /// Unsigned, as the file says; it keeps them as if they were signed.
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Truth(Vec<bool>),
}

impl Column {
    fn new(field: Field) -> Self {
        let values = match field.content {
            Content::Text | Content::OneOf(_) => Values::Text(Vec::new()),
            Content::Whole(_) => Values::Whole(Vec::new()),
            Content::Real | Content::Share => Values::Real(Vec::new()),
            Content::Truth => Values::Truth(Vec::new()),
        };
        Column { field, known: Vec::new(), values }
    }

    fn schema(&self) -> std::result::Result<Type, ParquetError> {
        let (physical, logical) = match self.values {
            Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Values::Whole(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Values::Real(_) => (Physical::DOUBLE, None),
            Values::Truth(_) => (Physical::BOOLEAN, None),
        };
        let always = self.field.always;
        Type::primitive_type_builder(&self.field.name, physical)
            .with_logical_type(logical)
            .with_repetition(if always { Repetition::REQUIRED } else { Repetition::OPTIONAL })
            .build()
    }

    fn push(&mut self, field: &[u8]) -> Result<()> {
        let is_known = !field.is_empty() || self.field.always;
        self.known.push(i16::from(is_known));
        if !is_known {
            return Ok(());
        }
        let text = String::from_utf8_lossy(field);
        let refuse = |problem: &str| -> Error {
            let remedy = "use runs.csv itself, which holds any number";
            Input::new(&self.field.name, &text, problem, remedy).into()
        };
        match &mut self.values {
            Values::Text(values) => {
                // Neighbours nearly always belong to the same cell.
                let same = values.last().filter(|last| last.data() == field).cloned();
                values.push(same.unwrap_or_else(|| field.to_vec().into()));
            }
            Values::Whole(values) => {
                let whole = text.parse::<u64>();
                let problem = "Parquet has whole numbers from 0 to 2^64 - 1";
                values.push(whole.map_err(|_| refuse(problem))?.cast_signed());
            }
            Values::Real(values) => {
                values.push(text.parse().map_err(|_| refuse("this is not a number"))?);
            }
            Values::Truth(values) => {
                values.push(text.parse().map_err(|_| refuse("this is not true or false"))?);
            }
        }
        Ok(())
    }

    fn write(
        &mut self,
        mut writer: SerializedColumnWriter<'_>,
    ) -> std::result::Result<(), ParquetError> {
        let known = (!self.field.always).then_some(&*self.known);
        match &mut self.values {
            Values::Text(values) => write_values::<ByteArrayType>(&mut writer, values, known)?,
            Values::Whole(values) => write_values::<Int64Type>(&mut writer, values, known)?,
            Values::Real(values) => write_values::<DoubleType>(&mut writer, values, known)?,
            Values::Truth(values) => write_values::<BoolType>(&mut writer, values, known)?,
        }
        self.known.clear();
        writer.close()
    }
}

fn write_values<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &mut Vec<T::T>,
    known: Option<&[i16]>,
) -> std::result::Result<(), ParquetError> {
    writer.typed::<T>().write_batch(values, known, None)?;
    values.clear();
    Ok(())
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field as Read;

    use super::super::batch::{self, Options};
    use super::super::columns::RUN_COLUMNS;
    use super::*;
    use crate::engine::Registry;
    use crate::experiment::spec::Spec;

    /// Known and unknown, whole and real, IDs above 2^63, a name with a comma.
    const SPEC: &str = "n = [4, 9]\nids = [\"sparse\"]\nruns = 5\n\
                        initiators = [\"all\", \"at:0,2\"]\ntiming = [\"sync\", \"uniform:0..1\"]\n\
                        [[grid]]\nalgorithms = [\"chang-roberts\"]\n\
                        [[grid]]\nalgorithms = [\"adoption\"]\ntopologies = [\"grid\"]\n";

    fn results(folder: &Path) -> Results {
        let registry = Registry::standard();
        let spec = Spec::parse(SPEC, "spec", "test", &registry).expect("a spec");
        batch::run(&spec, folder, &Options::default(), &()).expect("it runs");
        Results::open(folder, &registry).expect("complete")
    }

    fn exported(results: &Results, group: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_in_groups(results, &mut bytes, group).expect("written");
        bytes
    }

    #[test]
    fn a_parquet_file_holds_the_values_of_runs_csv() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = results(folder.path());
        let mut table = csv::Reader::from_path(folder.path().join("runs.csv")).expect("a table");
        let rows: Vec<csv::StringRecord> =
            table.records().collect::<std::result::Result<_, _>>().expect("rows");
        for group in [7, rows.len(), GROUP] {
            let bytes = exported(&results, group);
            assert_eq!(bytes, exported(&results, group));
            let path = folder.path().join("runs.parquet");
            std::fs::write(&path, bytes).expect("written");
            let file = File::open(&path).expect("there");
            let reader = SerializedFileReader::new(file).expect("Parquet");
            assert_eq!(reader.metadata().num_row_groups(), rows.len().div_ceil(group));
            let read = reader.get_row_iter(None).expect("rows");
            let read: Vec<_> = read.collect::<std::result::Result<_, _>>().expect("rows");
            assert_eq!(read.len(), rows.len());
            let mut seen = [0; 4];
            for (read, row) in read.iter().zip(&rows) {
                assert!(read.get_column_iter().map(|(name, _)| name).eq(&RUN_COLUMNS));
                for ((name, value), text) in read.get_column_iter().zip(row) {
                    let kind = match value {
                        Read::Null => (0, text.is_empty()),
                        Read::Str(value) => (1, value == text),
                        Read::ULong(value) => (2, value.to_string() == text),
                        Read::Double(value) => (3, text.parse() == Ok(*value)),
                        other => panic!("{name}: {other:?}"),
                    };
                    assert!(kind.1, "{name}: {value} is not {text}");
                    seen[kind.0] += 1;
                }
            }
            assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
        }
        let large = |row: &csv::StringRecord| row[14].parse::<u64>().is_ok_and(|id| id >> 63 == 1);
        assert_eq!(RUN_COLUMNS[14], "leader");
        assert!(rows.iter().any(large));
    }

    #[test]
    fn only_files_of_our_own_are_known_as_such() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = results(&folder.path().join("results"));
        let path = folder.path().join("file.parquet");
        let is_ours = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            is_our_parquet(&path).expect("read")
        };
        let ours = exported(&results, GROUP);
        assert!(is_ours(&ours));
        let mut others = ours.clone();
        let mark = memchr::memmem::rfind(&others, MARK).expect("marked");
        others[mark] = b'H';
        let mut too_long = ours.clone();
        let end = too_long.len() - 5;
        too_long[end] = 255;
        let nearly = &ours[..ours.len() - 1];
        for foreign in
            [&b""[..], b"hustings version 1", b"PAR1\0\0\0\0PAR1", &others, &too_long, nearly]
        {
            assert!(!is_ours(foreign));
        }
    }

    #[test]
    fn runs_that_were_changed_are_not_exported() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = results(folder.path());
        let path = folder.path().join("runs.csv");
        let text = std::fs::read_to_string(&path).expect("read");
        std::fs::write(&path, text.replacen(",0,", ",00,", 1)).expect("written");
        let mut bytes = Vec::new();
        assert!(write_parquet(&results, &mut bytes).is_err());
    }
}
