//! Which theorems speak about a cell: what is known of an algorithm, less what its layout, IDs and
//! timing do not allow.

use crate::experiment::cell::Cell;
use crate::experiment::layout::Layout;
use crate::model::metric::Metric;
use crate::model::theory::{Certainty, Fact, Facts, Value};
use crate::statistics::growth::Term;

/// What theory says about the runs of one cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Theorem {
    /// No run has less.
    pub best: Option<Fact>,
    /// The mean over all runs that the cell may have.
    pub mean: Option<Fact>,
    /// No run has more.
    pub worst: Option<Fact>,
    /// The standard deviation of one run.
    pub sd: Option<f64>,
}

impl Theorem {
    /// Between which growth laws theory puts the means of a series, of which `cell` is a part: a law that
    /// grows more slowly than the first or faster than the second is refuted.
    pub fn growth(cell: &Cell, metric: Metric) -> (Option<Term>, Option<Term>) {
        if cell.is_on_graph() {
            return (None, None);
        }
        let of = |pick: fn(Facts) -> Option<Fact>| {
            Term::of(|n| {
                let facts = cell.algorithm().theory(metric, &cell.initiators().case(n));
                Some(pick(facts)?.value.as_f64())
            })
        };
        let own = match cell.layout() {
            _ if cell.timing().delay.is_some() => None,
            Layout::Random => of(|facts| facts.mean),
            Layout::Best if metric == Metric::Messages => of(|facts| facts.best),
            Layout::Worst if metric == Metric::Messages => of(|facts| facts.worst),
            _ => None,
        };
        let or = |pick: fn(Facts) -> Option<Fact>| own.or_else(|| of(pick));
        (or(|facts| facts.best), or(|facts| facts.worst))
    }

    /// What holds for a metric of a cell.
    ///
    /// - A mean over all rings is that of a cell whose IDs stand in random order. On the best and on
    ///   the worst ring of an algorithm every run needs exactly the fewest and the most messages;
    ///   elsewhere a fixed layout has bounds alone.
    /// - Every fact says itself in which networks and for which IDs it holds.
    pub fn of(cell: &Cell, metric: Metric) -> Self {
        let facts = cell.facts_of(metric);
        let constant = match (&facts.best, &facts.worst) {
            (Some(best), Some(worst)) => best.is_exact() && worst.is_exact() && equal(best, worst),
            _ => false,
        };
        let expected = |fact: &Option<Fact>| {
            let known = metric == Metric::Messages && cell.initiators().is_all(cell.n());
            fact.clone().filter(|fact| known && fact.is_exact()).map(|fact| (fact, Some(0.0)))
        };
        let known = if constant {
            facts.best.clone().map(|fact| (fact, Some(0.0)))
        } else {
            match cell.layout() {
                Layout::Random => {
                    let variance = facts.variance.filter(|fact| fact.within().is_some());
                    let sd = variance.map(|fact| fact.value.as_f64().max(0.0).sqrt());
                    facts.mean.map(|fact| (fact, sd))
                }
                Layout::Best => expected(&facts.best),
                Layout::Worst => expected(&facts.worst),
                _ => None,
            }
        };
        let (mean, sd) = known.map_or((None, None), |(mean, sd)| (Some(mean), sd));
        let is_bound = |fact: &Fact| fact.certainty != Certainty::Measured;
        Theorem { best: facts.best.filter(is_bound), mean, worst: facts.worst.filter(is_bound), sd }
    }
}

fn equal(a: &Fact, b: &Fact) -> bool {
    match (a.value, b.value) {
        (Value::Whole(a), Value::Whole(b)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Registry;
    use crate::experiment::cell::Setting;

    fn theorem(
        algorithm: &str,
        layout: &str,
        ids: &str,
        initiators: &str,
        timing: &str,
    ) -> Theorem {
        let setting = Setting {
            layout: layout.parse().expect("a layout"),
            ids: ids.parse().expect("IDs"),
            initiators: initiators.parse().expect("initiators"),
            timing: timing.parse().expect("a timing"),
            ..Setting::of(8)
        };
        let registry = Registry::standard();
        let entry = registry.named(algorithm).expect("known");
        Theorem::of(&Cell::new(entry, setting).expect("a good cell"), Metric::Messages)
    }

    #[test]
    fn a_mean_is_that_of_random_order_and_extremes_are_met_on_their_own_rings() {
        let random = theorem("chang-roberts", "random", "sparse", "all", "sync");
        assert!((random.mean.expect("known").value.as_f64() - 761.0 / 35.0).abs() < 1e-12);
        assert!((random.sd.expect("known").powi(2) - 93736.0 / 11025.0).abs() < 1e-9);
        let worst = theorem("chang-roberts", "worst", "dense", "all", "sync");
        assert_eq!((worst.mean.expect("known").value, worst.sd), (Value::Whole(36), Some(0.0)));
        let partial = theorem("chang-roberts", "best", "dense", "count:3", "sync");
        assert_eq!((partial.mean, partial.sd), (None, None));
        assert!(partial.best.is_some());
        let sorted = theorem("chang-roberts", "nearly-sorted:3", "dense", "all", "sync");
        assert_eq!(sorted.mean, None);
        let constant = theorem("lelann", "nearly-sorted:3", "dense", "all", "sync");
        assert_eq!(
            (constant.mean.expect("known").value, constant.sd),
            (Value::Whole(64), Some(0.0))
        );
    }

    #[test]
    fn theory_says_between_which_laws_a_series_grows() {
        let growth = |algorithm: &str, layout: &str| {
            let layout = layout.parse().expect("a layout");
            let registry = Registry::standard();
            let entry = registry.named(algorithm).expect("known");
            let cell = Cell::new(entry, Setting { layout, ..Setting::of(8) }).expect("a good cell");
            Theorem::growth(&cell, Metric::Messages)
        };
        let (n, n_log_n, n_squared) = (Some(Term::N), Some(Term::NLog2N), Some(Term::NSquared));
        assert_eq!(growth("chang-roberts", "random"), (n_log_n, n_log_n));
        assert_eq!(growth("chang-roberts", "worst"), (n_squared, n_squared));
        assert_eq!(growth("chang-roberts", "bit-reversal"), (n, n_squared));
        assert_eq!(growth("hirschberg-sinclair", "worst"), (n_log_n, n_log_n));
        assert_eq!(growth("peterson", "organ-pipe"), (n, n_log_n));
        assert_eq!(growth("time-slice", "random"), (n, n));
        assert_eq!(growth("dolev-klawe-rodeh-b", "random"), (n, None));
    }

    #[test]
    fn delays_leave_what_no_schedule_changes() {
        let kept = theorem("chang-roberts", "random", "dense", "all", "uniform:0..1+no-fifo");
        assert!(kept.mean.is_some());
        let lowered = theorem("radius-growth+announce", "random", "dense", "all", "exponential:1");
        assert_eq!((lowered.best, lowered.mean, lowered.sd), (None, None, None));
        assert!(lowered.worst.is_some());
        let lowered = theorem("clockwise", "random", "dense", "all", "uniform:0..1+no-fifo");
        assert!(lowered.best.is_none() && lowered.worst.is_some());
        let late = theorem("chang-roberts", "random", "dense", "at:0,3@7", "sync");
        assert_eq!(late, Theorem::default());
    }

    #[test]
    fn tables_for_dense_ids_are_for_dense_ids() {
        assert!(theorem("variable-speeds", "random", "dense", "all", "sync").mean.is_some());
        let sparse = theorem("variable-speeds", "random", "sparse", "all", "sync");
        assert!(sparse.mean.is_none() && sparse.best.is_none() && sparse.worst.is_some());
        assert!(theorem("variable-speeds", "random", "sparse", "one", "sync").mean.is_some());
    }
}
