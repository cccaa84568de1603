//! How likely something is that happened in so many of so many runs.

use super::student::normal_two_sided_quantile;

/// Wilson's interval for a probability: that which the score test of level 1 - `confidence` does not
/// refute, after `count` of `runs`,
///
///   (k + z²/2 ± z √(k (r - k)/r + z²/4)) / (r + z²).
///
/// It stays between 0 and 1, and says something where nothing or everything happened (E. B. Wilson,
/// JASA 22, 1927). `None` without runs, for more than all of them, and unless 0 < `confidence` < 1.
pub fn interval(count: u64, runs: u64, confidence: f64) -> Option<(f64, f64)> {
    let z = normal_two_sided_quantile(confidence)?;
    if runs == 0 || count > runs {
        return None;
    }
    let (k, r, square) = (count as f64, runs as f64, z * z);
    let half = z * (k * (r - k) / r + square / 4.0).sqrt();
    let end = |sign: f64| ((k + square / 2.0 + sign * half) / (r + square)).clamp(0.0, 1.0);
    // What rounding leaves of an exact 0 or 1.
    let low = if count == 0 { 0.0 } else { end(-1.0) };
    let high = if count == runs { 1.0 } else { end(1.0) };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_where_the_score_test_refutes() {
        for (count, runs) in [(1u64, 10u64), (3, 1000), (50, 100), (999, 1000), (0, 100), (7, 7)] {
            let (low, high) = interval(count, runs, 0.95).expect("runs");
            let share = count as f64 / runs as f64;
            for end in [low, high].into_iter().filter(|&end| end > 0.0 && end < 1.0) {
                let z = (share - end).abs() / (end * (1.0 - end) / runs as f64).sqrt();
                assert!((z - 1.959_963_984_540_054).abs() < 1e-9, "{count} of {runs}: {z}");
            }
            assert!(low <= share && share <= high);
        }
        assert_eq!(interval(0, 100, 0.95).map(|it| it.0), Some(0.0));
        assert_eq!(interval(7, 7, 0.95).map(|it| it.1), Some(1.0));
    }

    #[test]
    fn nonsense_has_no_interval() {
        for (count, runs, confidence) in [(0, 0, 0.95), (3, 2, 0.95), (1, 2, 0.0), (1, 2, 1.0)] {
            assert_eq!(interval(count, runs, confidence), None);
        }
    }
}
