//! The exact distribution of the messages of Chang-Roberts on a random ring.
//!
//! Cut the ring at its largest ID: that ID travels n links, and the others cost what a random
//! sequence of m = n−1 IDs costs in front of a larger one. The largest of these, at place j uniform
//! in 1..m, travels m+1−j links and separates two independent random sequences, so the generating
//! function of a sequence is
//!
//! ```text
//! G_m(z) = 1/m · Σ_{j=1..m} z^(m+1−j) · G_(j−1)(z) · G_(m−j)(z),   G_0 = 1,
//! ```
//!
//! and that of the ring is z^n·G_(n−1)(z), with support 2n−1 ..= n(n+1)/2.

use std::f64::consts::TAU;

use crate::model::distribution::Distribution;

/// The largest n whose rings [`ring_counts`] counts: (n−1)! has to fit into 128 bits.
const LARGEST_COUNTED: u64 = 35;

/// How many messages Chang-Roberts sends when all n processes start and all (n−1)! rings are equally
/// likely: from exact counts up to [`LARGEST_COUNTED`], beyond by evaluating the recursion at roots of
/// unity and transforming back, in O(n⁴) time and O(n²) memory; n is at least 1.
///
/// Transformed probabilities are good to about 10⁻¹⁶, absolutely: tails below that are noise.
pub(super) fn distribution(n: u64) -> Distribution {
    let probabilities = exact_probabilities(n).unwrap_or_else(|| transformed(n));
    Distribution::new(2 * n - 1, probabilities)
}

/// How many of the (n−1)! rings cost 2n−1, 2n, ..., n(n+1)/2 messages; `None` for n = 0 and beyond
/// [`LARGEST_COUNTED`].
///
/// With C_m = m!·G_m/z^m the recursion has integer coefficients,
/// C_m = Σ_j binom(m−1, j−1) · z^(m−j) · C_(j−1) · C_(m−j). They count sequences and sum to m!, so
/// every partial sum and product stays at or below m!.
fn ring_counts(n: u64) -> Option<Vec<u128>> {
    if n == 0 || n > LARGEST_COUNTED {
        return None;
    }
    let n = n as usize;
    let mut sequences: Vec<Vec<u128>> = vec![vec![1]];
    for m in 1..n {
        let mut counts = vec![0u128; degree(m) + 1];
        let mut binomial = 1u128;
        for j in 1..=m {
            for (left, &ways_left) in sequences[j - 1].iter().enumerate() {
                for (right, &ways_right) in sequences[m - j].iter().enumerate() {
                    counts[m - j + left + right] += ways_left * ways_right * binomial;
                }
            }
            binomial = binomial * (m - j) as u128 / j as u128;
        }
        sequences.push(counts);
    }
    sequences.pop()
}

/// The degree of g_m = G_m/z^m, m(m−1)/2: all IDs in descending order.
fn degree(m: usize) -> usize {
    m * m.saturating_sub(1) / 2
}

fn exact_probabilities(n: u64) -> Option<Vec<f64>> {
    let counts = ring_counts(n)?;
    let rings = counts.iter().sum::<u128>() as f64;
    Some(counts.into_iter().map(|count| count as f64 / rings).collect())
}

/// Roots handled side by side, so that the compiler can use vector instructions.
const LANES: usize = 8;

type Lanes = [f64; LANES];

/// The coefficients of g_(n−1), from its values at enough roots of unity.
fn transformed(n: u64) -> Vec<f64> {
    let m = n as usize - 1;
    let values = degree(m) + 1;
    let roots = smooth_at_least(values);
    // The coefficients are real, so the values at conjugate roots are conjugate.
    let half = roots / 2;
    let mut spectrum = vec![Complex::default(); roots];
    for first in (0..=half).step_by(LANES) {
        let (real, imaginary) = evaluate(m, roots, first);
        for lane in 0..LANES.min(half + 1 - first) {
            let value = Complex { re: real[lane], im: imaginary[lane] };
            spectrum[first + lane] = value;
            spectrum[(roots - first - lane) % roots] = Complex { re: value.re, im: -value.im };
        }
    }
    // g(ω^k) = Σ_x p_x ω^(kx), so p_x = 1/roots · Σ_k g(ω^k) ω^(−kx).
    let unit: Vec<Complex> = (0..roots).map(|k| root(roots - k, roots)).collect();
    let sums = fourier(&spectrum, &unit);
    sums.iter().take(values).map(|sum| (sum.re / roots as f64).max(0.0)).collect()
}

/// g_m at the roots ω^first, ω^(first+1), ...: g_m = 1/m · Σ_j g_(j−1) · h_(m−j) with h_k = z^k·g_k.
fn evaluate(m: usize, roots: usize, first: usize) -> (Lanes, Lanes) {
    let mut g: Vec<(Lanes, Lanes)> = Vec::with_capacity(m + 1);
    let mut h: Vec<(Lanes, Lanes)> = Vec::with_capacity(m + 1);
    g.push(([1.0; LANES], [0.0; LANES]));
    h.push(g[0]);
    for size in 1..=m {
        let (mut re, mut im) = ([0.0; LANES], [0.0; LANES]);
        for (left, right) in g.iter().zip(h.iter().rev()) {
            for lane in 0..LANES {
                re[lane] += left.0[lane] * right.0[lane] - left.1[lane] * right.1[lane];
                im[lane] += left.0[lane] * right.1[lane] + left.1[lane] * right.0[lane];
            }
        }
        let (mut shifted_re, mut shifted_im) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            re[lane] /= size as f64;
            im[lane] /= size as f64;
            let z = root((first + lane) % roots * size, roots);
            shifted_re[lane] = re[lane] * z.re - im[lane] * z.im;
            shifted_im[lane] = re[lane] * z.im + im[lane] * z.re;
        }
        g.push((re, im));
        h.push((shifted_re, shifted_im));
    }
    g[m]
}

#[derive(Clone, Copy, Debug, Default)]
struct Complex {
    re: f64,
    im: f64,
}

/// e^(2πi·k/roots).
fn root(k: usize, roots: usize) -> Complex {
    let (im, re) = (TAU * (k % roots) as f64 / roots as f64).sin_cos();
    Complex { re, im }
}

/// The smallest 2^k, 3·2^k or 5·2^k that is at least `size`.
fn smooth_at_least(size: usize) -> usize {
    let reach = |odd: usize| odd * size.div_ceil(odd).next_power_of_two();
    reach(1).min(reach(3)).min(reach(5))
}

/// Σ_k values[k]·unit[k·x mod length] for every x, where unit holds the powers of a root of unity:
/// halves of even length are transformed on their own (Cooley and Tukey 1965), odd lengths directly.
fn fourier(values: &[Complex], unit: &[Complex]) -> Vec<Complex> {
    let length = values.len();
    let stride = unit.len() / length;
    let turned = |value: Complex, steps: usize| {
        let z = unit[steps % length * stride];
        Complex { re: value.re * z.re - value.im * z.im, im: value.re * z.im + value.im * z.re }
    };
    if length % 2 == 1 {
        let sum = |x: usize| {
            values.iter().enumerate().fold(Complex::default(), |sum, (k, &value)| {
                let term = turned(value, k * x);
                Complex { re: sum.re + term.re, im: sum.im + term.im }
            })
        };
        return (0..length).map(sum).collect();
    }
    let even: Vec<Complex> = values.iter().step_by(2).copied().collect();
    let odd: Vec<Complex> = values.iter().skip(1).step_by(2).copied().collect();
    let (even, odd) = (fourier(&even, unit), fourier(&odd, unit));
    (0..length)
        .map(|x| {
            let (base, term) = (even[x % even.len()], turned(odd[x % odd.len()], x));
            Complex { re: base.re + term.re, im: base.im + term.im }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::ring::every_order;

    fn mean(n: u64) -> f64 {
        n as f64 * (1..=n).map(|k| 1.0 / k as f64).sum::<f64>()
    }

    fn variance(n: u64) -> f64 {
        let squares: f64 = (1..=n).map(|k| 1.0 / (k as f64).powi(2)).sum();
        (n as f64).powi(2) * (2.0 - squares) - mean(n)
    }

    #[test]
    fn counts_of_small_rings() {
        assert_eq!(ring_counts(1), Some(vec![1]));
        assert_eq!(ring_counts(2), Some(vec![1]));
        assert_eq!(ring_counts(3), Some(vec![1, 1]));
        assert_eq!(ring_counts(4), Some(vec![1, 3, 1, 1]));
        assert_eq!(ring_counts(5), Some(vec![1, 6, 7, 5, 3, 1, 1]));
        assert_eq!(ring_counts(6), Some(vec![1, 10, 25, 25, 26, 11, 12, 5, 3, 1, 1]));
        let eight = vec![
            1, 21, 140, 385, 616, 784, 694, 687, 478, 411, 255, 222, 127, 91, 50, 39, 17, 12, 5, 3,
            1, 1,
        ];
        assert_eq!(ring_counts(8), Some(eight));
    }

    #[test]
    fn counts_sum_to_all_rings() {
        let mut rings = 1u128;
        for n in 1..=LARGEST_COUNTED {
            rings *= u128::from(n.max(2) - 1);
            assert_eq!(ring_counts(n).unwrap().iter().sum::<u128>(), rings, "n = {n}");
        }
        assert_eq!(ring_counts(0), None);
        assert_eq!(ring_counts(LARGEST_COUNTED + 1), None);
    }

    #[test]
    fn counting_agrees_with_every_ring_of_seven() {
        let mut seen = vec![0u128; ring_counts(7).unwrap().len()];
        let mut ring = vec![7, 1, 2, 3, 4, 5, 6];
        every_order(&mut ring, 1, &mut |ring| {
            let travels = |start: usize| {
                (1..7).find(|step| ring[(start + step) % 7] > ring[start]).unwrap_or(7)
            };
            let messages: usize = (0..7).map(travels).sum();
            seen[messages - 13] += 1;
        });
        assert_eq!(ring_counts(7), Some(seen));
    }

    #[test]
    fn the_transform_agrees_with_exact_counts() {
        for n in 1..=LARGEST_COUNTED {
            let exact = exact_probabilities(n).unwrap();
            let transformed = transformed(n);
            assert_eq!(exact.len(), transformed.len());
            for (want, got) in exact.iter().zip(&transformed) {
                assert!((want - got).abs() < 1e-15, "n = {n}: {want} {got}");
            }
        }
    }

    #[test]
    fn mean_and_variance_follow_their_formulas() {
        for n in (1..=60).chain([100, 128]) {
            let law = distribution(n);
            assert!((law.mean() / mean(n) - 1.0).abs() < 1e-12, "n = {n}");
            let (got, want) = (law.variance(), variance(n));
            assert!((got - want).abs() < 1e-10 * want.max(1.0), "n = {n}: {got} {want}");
        }
    }

    #[test]
    fn quantiles_of_a_hundred() {
        let law = distribution(100);
        let levels = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999];
        let quantiles = levels.map(|p| law.quantile(p).unwrap());
        assert_eq!(quantiles, [418, 441, 479, 512, 551, 621, 681, 758]);
        assert_eq!(law.quantile(0.0), Some(199));
        assert_eq!(law.quantile(1.0).map(|x| x <= 5050), Some(true));
        for (p, value) in levels.into_iter().zip(quantiles) {
            assert!(law.cdf(value) >= p && law.cdf(value - 1) < p);
        }
    }

    #[test]
    fn three_hundred_processes() {
        let law = distribution(300);
        assert!((law.mean() / mean(300) - 1.0).abs() < 1e-11);
        assert!((law.variance() / variance(300) - 1.0).abs() < 1e-9);
        let moment = |power: i32| -> f64 {
            law.iter().map(|(x, p)| p * (x as f64 - mean(300)).powi(power)).sum()
        };
        let skewness = moment(3) / moment(2).powf(1.5);
        let excess = moment(4) / moment(2).powi(2) - 3.0;
        assert!((skewness - 0.757).abs() < 5e-4 && (excess - 0.979).abs() < 5e-4);
    }
}
