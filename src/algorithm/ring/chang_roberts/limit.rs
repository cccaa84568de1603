//! What the law of Chang-Roberts tends to.
//!
//! Cut at its largest ID a random ring is a random binary search tree, and the messages are 2n-1 and the
//! sizes of all right subtrees. As for Quicksort (U. Rösler, "A limit theorem for Quicksort", RAIRO 25,
//! 1991) (X - n H_n)/n tends to the only centred Z of finite variance with
//!
//! ```text
//! Z = U Z₁ + (1-U) Z₂ + C(U),   C(u) = 1 - u + u ln u + (1-u) ln(1-u),
//! ```
//!
//! in distribution, for independent copies of Z and a uniform U. Its characteristic function therefore
//! is the fixed point of φ(t) = ∫₀¹ φ(ut) φ((1-u)t) exp(i t C(u)) du.

use std::f64::consts::PI;
use std::sync::OnceLock;

use crate::algorithm::Limit;

/// The limit law, for all who send as many messages.
pub(in crate::algorithm::ring) const LIMIT: Limit = Limit {
    of: "(X - n H_n)/n",
    skewness: 0.728_414,
    kurtosis: 0.929_404,
    density,
    source: "fixed-point equation in docs/method.md",
};

/// φ is computed at the multiples of this ...
const STEP: f64 = 1.0 / 32.0;
/// ... so many of them, up to 25; beyond, φ is below 1e-10.
const POINTS: usize = 800;
/// So many points of the unit interval carry the integral.
const NODES: usize = 64;
/// So often is the equation applied; every time halves what is wrong with the third moment, and what
/// is wrong with the first two is nothing from the start.
const TIMES: usize = 24;

/// The density at x, with an error below 1e-5 by what half the step and three times the nodes change;
/// the tests compare it with the moments and with the exact law of n = 128.
fn density(x: f64) -> f64 {
    static PHI: OnceLock<Vec<Complex>> = OnceLock::new();
    let phi = PHI.get_or_init(characteristic);
    // (1/π) ∫ Re(exp(-itx) φ(t)) dt by the trapezoidal rule, which is exact for what vanishes at the
    // ends, but for images of the density 2π/STEP = 200 away.
    let terms = phi.iter().enumerate().map(|(place, value)| {
        let (sin, cos) = (place as f64 * STEP * x).sin_cos();
        let weight = if place == 0 { 0.5 } else { 1.0 };
        weight * (value.0 * cos + value.1 * sin)
    });
    (terms.sum::<f64>() * STEP / PI).max(0.0)
}

/// Real and imaginary part.
type Complex = (f64, f64);

fn times(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// So many points u of the unit interval, with their weights and C(u): u = s³(10 - 15s + 6s²) for the
/// midpoints s, so that the logarithms at both ends do no harm. Weights have the sum 1 and C the mean 0,
/// so that no error grows from one application of the equation to the next.
fn nodes(number: usize) -> Vec<(f64, f64, f64)> {
    let node = |place: usize| {
        let s = (place as f64 + 0.5) / number as f64;
        let u = s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s);
        let c = 1.0 - u + u * u.ln() + (1.0 - u) * (1.0 - u).ln();
        (u, 30.0 * (s * (1.0 - s)).powi(2) / number as f64, c)
    };
    let mut nodes: Vec<(f64, f64, f64)> = (0..number).map(node).collect();
    let sum: f64 = nodes.iter().map(|(_, weight, _)| weight).sum();
    nodes.iter_mut().for_each(|(_, weight, _)| *weight /= sum);
    let mean: f64 = nodes.iter().map(|(_, weight, c)| weight * c).sum();
    nodes.iter_mut().for_each(|(_, _, c)| *c -= mean);
    nodes
}

/// φ at the multiples of [`STEP`], from that of the normal law with the same variance on.
fn characteristic() -> Vec<Complex> {
    let nodes = nodes(NODES);
    let variance = 2.0 - PI * PI / 6.0;
    let normal = |place: usize| {
        let t = place as f64 * STEP;
        ((-t * t * variance / 2.0).exp(), 0.0)
    };
    let mut phi: Vec<Complex> = (0..POINTS).map(normal).collect();
    for _ in 0..TIMES {
        phi = (0..POINTS)
            .map(|place| {
                let t = place as f64 * STEP;
                let mut sum = (0.0, 0.0);
                for &(u, weight, c) in &nodes {
                    let (sin, cos) = (t * c).sin_cos();
                    let product =
                        times(at(&phi, u * place as f64), at(&phi, (1.0 - u) * place as f64));
                    let value = times(product, (cos, sin));
                    sum = (sum.0 + weight * value.0, sum.1 + weight * value.1);
                }
                sum
            })
            .collect();
        // Rounding would double every time.
        phi[0] = (1.0, 0.0);
    }
    phi
}

/// φ between its points: the polynomial of the third degree through the four around. Below 0 it is the
/// conjugate.
fn at(phi: &[Complex], place: f64) -> Complex {
    let first = (place.floor() as i64 - 1).min(POINTS as i64 - 4);
    let point = |index: i64| match usize::try_from(index) {
        Ok(index) => phi[index],
        Err(_) => {
            let (real, imaginary) = phi[index.unsigned_abs() as usize];
            (real, -imaginary)
        }
    };
    let x = place - first as f64;
    let weights = [
        -(x - 1.0) * (x - 2.0) * (x - 3.0) / 6.0,
        x * (x - 2.0) * (x - 3.0) / 2.0,
        -x * (x - 1.0) * (x - 3.0) / 2.0,
        x * (x - 1.0) * (x - 2.0) / 6.0,
    ];
    let mut sum = (0.0, 0.0);
    for (offset, weight) in (0..).zip(weights) {
        let (real, imaginary) = point(first + offset);
        sum = (sum.0 + weight * real, sum.1 + weight * imaginary);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::theory::harmonic;

    /// ∫ f(u, C(u)) du.
    fn integral(f: impl Fn(f64, f64) -> f64) -> f64 {
        nodes(4000).iter().map(|&(u, weight, c)| weight * f(u, c)).sum()
    }

    #[test]
    fn skewness_and_kurtosis_follow_from_the_equation() {
        let variance = 3.0 * integral(|_, c| c * c);
        assert!((variance - (2.0 - PI * PI / 6.0)).abs() < 1e-7, "{variance}");
        let squares = |u: f64| u * u + (1.0 - u) * (1.0 - u);
        let cubes = |u: f64| u.powi(3) + (1.0 - u).powi(3);
        let third = 2.0 * integral(|u, c| c.powi(3) + 3.0 * c * squares(u) * variance);
        let both = |u: f64| (u * (1.0 - u)).powi(2);
        let fourth = integral(|u, c| {
            c.powi(4)
                + 6.0 * c * c * squares(u) * variance
                + 4.0 * c * cubes(u) * third
                + 6.0 * both(u) * variance * variance
        }) / 0.6;
        let skewness = third / variance.powf(1.5);
        let kurtosis = fourth / (variance * variance) - 3.0;
        assert!((skewness - LIMIT.skewness).abs() < 1e-6, "{skewness}");
        assert!((kurtosis - LIMIT.kurtosis).abs() < 1e-6, "{kurtosis}");
    }

    #[test]
    fn the_density_has_the_moments_of_the_law() {
        let step = 0.01;
        let moment = |power: i32| -> f64 {
            let points = (-400..=1000).map(|place| f64::from(place) * step);
            points.map(|x| x.powi(power) * density(x) * step).sum()
        };
        assert!((moment(0) - 1.0).abs() < 1e-5, "{}", moment(0));
        assert!(moment(1).abs() < 1e-5, "{}", moment(1));
        let variance = moment(2);
        assert!((variance - (2.0 - PI * PI / 6.0)).abs() < 5e-5, "{variance}");
        let skewness = moment(3) / variance.powf(1.5);
        assert!((skewness - LIMIT.skewness).abs() < 1e-3, "{skewness}");
    }

    #[test]
    fn the_exact_law_comes_near_it() {
        let n = 128;
        let law = super::super::law::distribution(n);
        let mean = n as f64 * harmonic(n);
        // The variance is still smaller by H_n/n, and the distribution functions differ by that much.
        let (mut exact, mut worst, mut limit) = (0.0, 0.0f64, 0.0);
        let mut last = f64::NEG_INFINITY;
        for (messages, p) in law.iter() {
            let x = (messages as f64 + 0.5 - mean) / n as f64;
            limit += if last.is_finite() { density((x + last) / 2.0) * (x - last) } else { 0.0 };
            exact += p;
            worst = worst.max((exact - limit).abs());
            last = x;
            if x > 4.0 {
                break;
            }
        }
        assert!(worst < 0.05, "{worst}");
    }
}
