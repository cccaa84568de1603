//! Every statistic against values made elsewhere, to the precision written beside them
//! (`data/reference/README.md`).

use std::{fmt::Debug, str::FromStr};

use hustings::algorithm::Algorithm;
use hustings::algorithm::ring::ChangRoberts;
use hustings::statistics::fit::Point;
use hustings::statistics::growth::Model;
use hustings::statistics::moments::Moments;
use hustings::statistics::paired::Paired;
use hustings::statistics::quantiles::{self, Counted};
use hustings::statistics::rank::rank;
use hustings::statistics::significance::{goodness_of_fit, holm, signed_rank, welch};
use hustings::statistics::tails::{chi_square_p, normal_two_sided_p};
use hustings::statistics::{sequential, student};

/// One row of a reference file, read by column name.
struct Row<'a> {
    header: &'a str,
    line: &'a str,
}

fn rows(file: &str) -> impl Iterator<Item = Row<'_>> {
    let (header, body) = file.split_once('\n').expect("a reference file has a header");
    body.lines().map(move |line| Row { header, line })
}

impl Row<'_> {
    fn cell(&self, column: &str) -> &str {
        let place = self.header.split(',').position(|name| name == column);
        let place = place.unwrap_or_else(|| panic!("no column {column} in {}", self.header));
        self.line.split(',').nth(place).expect("every row is complete")
    }

    fn maybe<T: FromStr<Err: Debug>>(&self, column: &str) -> Option<T> {
        let cell = self.cell(column);
        (!cell.is_empty()).then(|| cell.parse().unwrap_or_else(|_| panic!("{column}: {cell}")))
    }

    fn get<T: FromStr<Err: Debug>>(&self, column: &str) -> T {
        self.maybe(column).unwrap_or_else(|| panic!("{column} is empty: {}", self.line))
    }

    fn list<T: FromStr<Err: Debug>>(&self, column: &str) -> Vec<T> {
        self.cell(column).split_whitespace().map(|item| item.parse().unwrap()).collect()
    }

    /// What we computed is what is written in the column, to the tolerance of the row.
    #[track_caller]
    fn expect(&self, column: &str, got: Option<f64>) {
        let want = self.maybe::<f64>(column);
        let tolerance = self.get::<f64>("tolerance");
        match (got, want) {
            (None, None) => {}
            (Some(got), Some(want)) => {
                assert_close(got, want, tolerance * want.abs(), self, column)
            }
            _ => panic!("{column}: got {got:?}, want {want:?}: {}", self.line),
        }
    }

    /// The same for an end of an interval: relative to its distance from the middle, too.
    #[track_caller]
    fn expect_end(&self, column: &str, got: Option<f64>, middle: f64) {
        let want = self.maybe::<f64>(column);
        let tolerance = self.get::<f64>("tolerance");
        match (got, want) {
            (None, None) => {}
            (Some(got), Some(want)) => {
                assert_close(got, want, tolerance * want.abs().max(middle.abs()), self, column)
            }
            _ => panic!("{column}: got {got:?}, want {want:?}: {}", self.line),
        }
    }
}

#[track_caller]
fn assert_close(got: f64, want: f64, tolerance: f64, row: &Row, column: &str) {
    assert!((got - want).abs() <= tolerance, "{column}: got {got}, want {want}: {}", row.line);
}

fn moments(values: &[u64]) -> Moments {
    let mut moments = Moments::new();
    values.iter().zip(0..).for_each(|(&value, run)| moments.push(run, value));
    moments
}

#[test]
fn quantiles_of_student() {
    for row in rows(include_str!("../../data/reference/student.csv")) {
        let got = student::two_sided_quantile(row.get("degrees_of_freedom"), row.get("confidence"));
        row.expect("quantile", got);
    }
}

#[test]
fn quantiles_and_p_values_for_any_stop() {
    for row in rows(include_str!("../../data/reference/sequential.csv")) {
        let runs = row.get("runs");
        row.expect("quantile", sequential::two_sided_quantile(runs, row.get("confidence")));
        row.expect("p_value", sequential::two_sided_p(row.get("z"), runs));
    }
}

#[test]
fn moments_and_intervals() {
    for row in rows(include_str!("../../data/reference/moments.csv")) {
        let moments = moments(&row.list("sample"));
        let interval = moments.interval(row.get("confidence"));
        row.expect("mean", moments.mean());
        row.expect("variance", moments.variance());
        row.expect("standard_error", moments.standard_error());
        row.expect("skewness", moments.skewness());
        let mean = moments.mean().unwrap();
        row.expect_end("low", interval.map(|interval| interval.0), mean);
        row.expect_end("high", interval.map(|interval| interval.1), mean);
    }
}

#[test]
fn sample_quantiles() {
    for row in rows(include_str!("../../data/reference/quantiles.csv")) {
        let sample: Vec<u64> = row.list("sample");
        let counted: Counted = sample.iter().copied().collect();
        row.expect("quantile", quantiles::quantile(sample.as_slice(), row.get("p")));
        row.expect("quantile", quantiles::quantile(&counted, row.get("p")));
    }
}

#[test]
fn ranks_of_quantile_intervals() {
    for row in rows(include_str!("../../data/reference/quantile_intervals.csv")) {
        let got = quantiles::interval_ranks(row.get("count"), row.get("p"), row.get("confidence"));
        let want = row.maybe("low_rank").zip(row.maybe("high_rank"));
        assert_eq!(got, want, "{}", row.line);
    }
}

#[test]
fn p_values() {
    for row in rows(include_str!("../../data/reference/p_values.csv")) {
        let statistic = row.get("statistic");
        let got = match row.cell("law") {
            "normal" => normal_two_sided_p(statistic),
            "chi-square" => chi_square_p(statistic, row.get("degrees_of_freedom")),
            "student" => student::two_sided_p(statistic, row.get("degrees_of_freedom")),
            law => panic!("no law {law}"),
        };
        row.expect("p_value", got);
    }
}

#[test]
fn holm_corrections() {
    for row in rows(include_str!("../../data/reference/holm.csv")) {
        let p_values: Vec<Option<f64>> = row.list("p_values").into_iter().map(Some).collect();
        let want: Vec<f64> = row.list("adjusted");
        for (got, want) in holm(&p_values).into_iter().zip(want) {
            let got = got.expect("known stays known");
            assert_close(got, want, row.get::<f64>("tolerance") * want, &row, "adjusted");
        }
    }
}

#[test]
fn goodness_of_fit_tests() {
    for row in rows(include_str!("../../data/reference/goodness_of_fit.csv")) {
        let got = goodness_of_fit(&row.list("observed"), &row.list("expected"));
        row.expect("statistic", got.map(|test| test.statistic));
        row.expect("p_value", got.map(|test| test.p_value));
        assert_eq!(got.map(|test| test.degrees_of_freedom), row.maybe("degrees_of_freedom"));
    }
}

#[test]
fn signed_rank_tests() {
    for row in rows(include_str!("../../data/reference/signed_rank.csv")) {
        let got = signed_rank(&row.list("differences"));
        row.expect("positive_ranks", got.map(|test| test.positive_ranks));
        row.expect("negative_ranks", got.map(|test| test.negative_ranks));
        row.expect("p_value", got.map(|test| test.p_value));
        assert_eq!(got.map(|test| test.pairs), row.maybe("pairs"));
        assert_eq!(got.map(|test| test.zeros), row.maybe("zeros"));
        let exact = row.maybe::<String>("exact").map(|exact| exact == "yes");
        assert_eq!(got.map(|test| test.exact), exact);
    }
}

#[test]
fn welch_tests() {
    for row in rows(include_str!("../../data/reference/welch.csv")) {
        let (first, second) = (moments(&row.list("first")), moments(&row.list("second")));
        let got = welch(&first, &second, row.get("confidence"));
        let scale = first.mean().unwrap().max(second.mean().unwrap());
        row.expect_end("difference", got.map(|test| test.difference), scale);
        row.expect("degrees_of_freedom", got.map(|test| test.degrees_of_freedom));
        row.expect("t", got.map(|test| test.t));
        row.expect("p_value", got.map(|test| test.p_value));
        row.expect_end("low", got.map(|test| test.interval.0), scale);
        row.expect_end("high", got.map(|test| test.interval.1), scale);
        row.expect("ratio", got.and_then(|test| test.ratio));
        let interval = got.and_then(|test| test.ratio_interval);
        row.expect("ratio_low", interval.map(|interval| interval.0));
        row.expect("ratio_high", interval.map(|interval| interval.1));
    }
}

#[test]
fn paired_differences_and_ratios() {
    for row in rows(include_str!("../../data/reference/paired.csv")) {
        let mut paired = Paired::new();
        for (a, b) in row.list("first").into_iter().zip(row.list("second")) {
            paired.push(a, b);
        }
        let confidence = row.get("confidence");
        row.expect("difference", paired.difference());
        row.expect("standard_error", paired.difference_standard_error());
        row.expect("p_value", paired.difference_p());
        row.expect("ratio", paired.ratio());
        row.expect("ratio_standard_error", paired.ratio_standard_error());
        let ratio = paired.ratio_interval(confidence);
        row.expect("ratio_low", ratio.map(|interval| interval.0));
        row.expect("ratio_high", ratio.map(|interval| interval.1));
        let got = paired.difference_interval(confidence).map(|(low, high)| vec![low, high]);
        let want: Vec<f64> = row.list("interval");
        for (got, want) in got.unwrap_or_default().into_iter().zip(want) {
            let scale = want.abs().max(paired.difference().unwrap().abs());
            assert_close(got, want, row.get::<f64>("tolerance") * scale, &row, "interval");
        }
    }
}

#[test]
fn weighted_fits_and_their_ranking() {
    for row in rows(include_str!("../../data/reference/fits.csv")) {
        let mut errors = row.list("standard_error").into_iter();
        let points: Vec<Point> = row
            .list("n")
            .into_iter()
            .zip(row.list("mean"))
            .map(|(n, mean)| Point { n, mean, standard_error: errors.next() })
            .collect();
        let ranking = rank(&points, &Model::ALL, 0.95, 0, 0).unwrap();
        let name = row.cell("model");
        let ranked = ranking.ranked.iter().find(|ranked| ranked.fit.model.to_string() == name);
        let ranked = ranked.unwrap_or_else(|| panic!("no model {name}"));
        let fit = &ranked.fit;
        row.expect("chi_square", Some(fit.chi_square));
        row.expect("lack_of_fit", fit.lack_of_fit);
        row.expect("weight", Some(ranked.weight));
        row.expect_end("delta", Some(ranked.delta), ranked.aicc);
        assert_eq!(fit.degrees_of_freedom, row.get::<u64>("degrees_of_freedom"));
        let columns = ["coefficients", "coefficient_errors", "low", "high"];
        let want = columns.map(|column| row.list::<f64>(column));
        for (place, coefficient) in fit.coefficients.iter().enumerate() {
            let (low, high) = coefficient.interval;
            let got = [coefficient.value, coefficient.standard_error, low, high];
            let scale = row.get::<f64>("tolerance") * coefficient.value.abs();
            for (column, got) in got.into_iter().enumerate() {
                assert_close(got, want[column][place], scale, &row, columns[column]);
            }
        }
    }
}

#[test]
fn distribution_of_chang_roberts() {
    for row in rows(include_str!("../../data/reference/distribution.csv")) {
        let distribution =
            ChangRoberts::LAW.and_then(|law| law.distribution(row.get("n"))).unwrap();
        let got = distribution.pmf(row.get("messages"));
        let want: f64 = row.get("probability");
        let tolerance = row.get::<f64>("absolute_tolerance").max(4.0 * f64::EPSILON * want);
        assert_close(got, want, tolerance, &row, "probability");
    }
}

#[test]
fn quantiles_of_chang_roberts() {
    for row in rows(include_str!("../../data/reference/distribution_quantiles.csv")) {
        let distribution =
            ChangRoberts::LAW.and_then(|law| law.distribution(row.get("n"))).unwrap();
        assert_eq!(distribution.quantile(row.get("p")), row.maybe("quantile"), "{}", row.line);
    }
}
