//! How much probability lies beyond a value, for the normal and the chi-square distribution.

use statrs::function::gamma::gamma_ur;

/// P(|Z| ≥ |z|) for a standard normal Z; `None` when z is not a number.
pub fn normal_two_sided_p(z: f64) -> Option<f64> {
    if z.is_nan() {
        return None;
    }
    chi_square_p(z * z, 1)
}

/// P(X ≥ x) for X chi-square with ν degrees of freedom, Q(ν/2, x/2) with the regularised upper
/// incomplete gamma function; `None` when x is not a number ≥ 0 or ν is 0.
pub fn chi_square_p(x: f64, degrees_of_freedom: u64) -> Option<f64> {
    if x.is_nan() || x < 0.0 || degrees_of_freedom == 0 {
        None
    } else if x == 0.0 {
        Some(1.0)
    } else if x.is_infinite() {
        Some(0.0)
    } else {
        Some(gamma_ur(degrees_of_freedom as f64 / 2.0, x / 2.0).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_lies_beyond_infinity() {
        assert_eq!(normal_two_sided_p(f64::NAN), None);
        assert_eq!(normal_two_sided_p(f64::INFINITY), Some(0.0));
    }
}
