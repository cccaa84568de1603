//! Seeded randomness that never changes: raw ChaCha8 words and our own sampling on them.
//!
//! The ring of a run depends on the master seed, the topology, n, the layout, the ID choice and
//! the run number, and on nothing else, so two algorithms meet the same rings and no thread or
//! shard can matter. Sampling is written out here, instead of taken from `rand`, because a library
//! may change its samplers' values between versions; ours are frozen by test vectors. For algorithms
//! of your own a [`Stream`] is also a generator of `rand`, with all that `rand` has.

use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The version of `rand` whose samplers a coin-flipping algorithm draws with.
pub const RAND_VERSION: &str = "0.10";

/// What a stream of random words is for. Each purpose has words of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Where the IDs stand, and which IDs.
    Ring = 0,
    /// Who starts.
    Initiators = 1,
    /// How long messages take.
    Delays = 2,
    /// The coins of the participants.
    Coins = 3,
    /// Who is whose neighbour.
    Graph = 4,
    /// Which messages get lost.
    Losses = 5,
    /// How long timers are.
    Timers = 6,
}

/// The number of purposes that a run has room for; part of the seed rule, never to change.
const PURPOSES: u64 = 8;

/// The key of all runs of a cell: the hash of what the rings may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key for a master seed and the parts of a cell that decide about its rings.
    pub fn new(seed: u64, topology: &str, n: u64, layout: &str, ids: &str) -> Self {
        let text = format!(
            "hustings 1\nseed={seed}\ntopology={topology}\nn={n}\nlayout={layout}\nids={ids}\n"
        );
        Key(Sha256::digest(text.as_bytes()).into())
    }

    /// The words of run number `run` for one purpose.
    pub fn stream(&self, run: u64, purpose: Purpose) -> Stream {
        let mut words = ChaCha8Rng::from_seed(self.0);
        words.set_stream(run.wrapping_mul(PURPOSES).wrapping_add(purpose as u64));
        Stream { words }
    }
}

/// The coins of one participant in one run: words that no schedule and no other participant can
/// change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coins(u64);

impl Coins {
    /// The coins with this number.
    pub fn new(number: u64) -> Self {
        Coins(number)
    }

    /// The words themselves, from the first on.
    pub fn stream(self) -> Stream {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.0.to_le_bytes());
        Stream { words: ChaCha8Rng::from_seed(seed) }
    }

    /// Draw number `draw`, from 0, of uniform integers below `bound`: what a process asks that draws
    /// seldom, instead of keeping the whole generator.
    pub fn draw(self, draw: u32, bound: u64) -> u64 {
        let mut words = self.stream();
        for _ in 0..draw {
            words.below(bound);
        }
        words.below(bound)
    }
}

/// A stream of random words and the samples we draw from it; a generator of `rand`, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    words: ChaCha8Rng,
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.words.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.words.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.words.try_fill_bytes(bytes)
    }
}

impl Stream {
    /// The next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.words.next_u64()
    }

    /// A uniform integer below `bound`, by Lemire's multiplication without bias
    /// (D. Lemire, "Fast random integer generation in an interval", TOMACS 29, 2019).
    /// Bounds up to 2^32 - 1 take 32 bits a try, larger ones 64. `bound` is at least 1.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        match u32::try_from(bound) {
            Ok(bound) => u64::from(self.below_32(bound)),
            Err(_) => self.below_64(bound),
        }
    }

    #[inline]
    fn below_32(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.words.next_u32()) * u64::from(bound);
        if (product as u32) < bound {
            let unfair = bound.wrapping_neg() % bound;
            while (product as u32) < unfair {
                product = u64::from(self.words.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    fn below_64(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.words.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let unfair = bound.wrapping_neg() % bound;
            while (product as u64) < unfair {
                product = u128::from(self.words.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A uniform number in [0, 1): 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self.words.next_u64())
    }

    /// Uniform numbers in [0, 1): the same as by [`Stream::unit`] one after the other, but faster,
    /// if no 32 bits were drawn before.
    #[inline]
    pub fn units<const COUNT: usize>(&mut self) -> [f64; COUNT] {
        let mut bytes = [[0; 8]; COUNT];
        self.words.fill_bytes(bytes.as_flattened_mut());
        bytes.map(|bytes| unit(u64::from_le_bytes(bytes)))
    }

    /// An exponential number with mean 1, by inversion.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        exponential(self.unit())
    }

    /// Shuffles uniformly (Fisher and Yates, from the last place down).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let chosen = self.below(last as u64 + 1) as usize;
            items.swap(last, chosen);
        }
    }

    /// `count` distinct places below `bound`, uniformly, in ascending order (R. Floyd's method).
    pub fn choose(&mut self, bound: u64, count: u64) -> Vec<u64> {
        let mut chosen = std::collections::BTreeSet::new();
        for last in bound - count..bound {
            let place = self.below(last + 1);
            if !chosen.insert(place) {
                chosen.insert(last);
            }
        }
        chosen.into_iter().collect()
    }
}

/// The number in [0, 1) that the first 53 of these bits make: they, divided by 2^53.
///
/// They are made floating in two halves, each written into the mantissa of a power of two, since a
/// plain conversion would take them one by one out of the registers in which several are at work.
#[inline(always)]
fn unit(word: u64) -> f64 {
    const LOW: f64 = (1u64 << 52) as f64;
    const HIGH: f64 = LOW * (1u64 << 32) as f64;
    let bits = word >> 11;
    let low = f64::from_bits(LOW.to_bits() | bits & u64::from(u32::MAX));
    let high = f64::from_bits(HIGH.to_bits() | bits >> 32);
    (high - (HIGH + LOW) + low) * (1.0 / (1u64 << 53) as f64)
}

/// The exponential number with mean 1 that belongs to a uniform one, by inversion.
#[inline(always)]
pub(crate) fn exponential(unit: f64) -> f64 {
    -natural_logarithm(1.0 - unit)
}

/// The natural logarithm of a positive normal number from additions, multiplications and one
/// division only, which every machine rounds alike; the system's `ln` may differ in the last bit.
///
/// ln x = e ln 2 + 2 artanh(s) with x = m 2^e, 1/√2 ≤ m < √2 and s = (m-1)/(m+1), so |s| < 0.1716
/// and the series s + s³/3 + s⁵/5 + … ends below 1e-17 after eleven terms.
///
/// Nothing here depends on luck or leaves floating-point registers, so that several can be computed
/// at once: a whole number is made floating by writing it into the mantissa of 2^52.
#[inline(always)]
pub(crate) fn natural_logarithm(x: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    const BIAS: u64 = 1023;
    const WHOLE: f64 = (1u64 << 52) as f64;
    let bits = x.to_bits();
    let mantissa = f64::from_bits(bits & MANTISSA | BIAS << 52);
    let halved = u64::from(mantissa > std::f64::consts::SQRT_2);
    let mantissa = f64::from_bits(bits & MANTISSA | (BIAS - halved) << 52);
    let biased = f64::from_bits(WHOLE.to_bits() | ((bits >> 52) + halved));
    let exponent = biased - (WHOLE + BIAS as f64);
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    // Pairs first, so that the processor can work on several terms at once.
    let pair = |k: u32| odd_inverse(k) + odd_inverse(k + 1) * square;
    let (fourth, eighth) = (square * square, square * square * (square * square));
    let first = pair(0) + pair(2) * fourth;
    let second = pair(4) + pair(6) * fourth;
    let third = pair(8) + odd_inverse(10) * fourth;
    let series = first + second * eighth + third * (eighth * eighth);
    exponent * std::f64::consts::LN_2 + 2.0 * s * series
}

/// 1/(2k + 1), a coefficient of the series.
const fn odd_inverse(k: u32) -> f64 {
    1.0 / (2 * k + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> Stream {
        Key::new(1, "ring", 8, "random", "dense").stream(0, Purpose::Ring)
    }

    #[test]
    fn the_logarithm_agrees_with_the_systems() {
        let mut stream = stream();
        for _ in 0..10_000 {
            let x = 1.0 - stream.unit();
            let expected = x.ln();
            let error = (natural_logarithm(x) - expected).abs();
            assert!(error <= 4.0 * f64::EPSILON * expected.abs().max(f64::EPSILON), "ln {x}");
        }
        assert_eq!(natural_logarithm(1.0), 0.0);
    }

    #[test]
    fn a_unit_is_its_first_53_bits_divided_by_a_power_of_two() {
        let mut stream = stream();
        let ends = (0..64).flat_map(|bit| [1 << bit, u64::MAX << bit, u64::MAX >> bit]);
        let words = (0..10_000).map(|_| stream.word()).chain(ends).chain([0]);
        for word in words.collect::<Vec<_>>() {
            assert_eq!(unit(word), (word >> 11) as f64 / 9_007_199_254_740_992.0, "{word}");
        }
    }

    #[test]
    fn many_units_at_once_are_the_same() {
        let (mut one_by_one, mut at_once) = (stream(), stream());
        for _ in 0..10 {
            let expected: [f64; 33] = std::array::from_fn(|_| one_by_one.unit());
            assert_eq!(at_once.units(), expected);
        }
    }

    #[test]
    fn a_bounded_integer_takes_every_value_equally_often() {
        // Chi-square with 6 degrees of freedom exceeds 22.46 with probability 0.001.
        let mut stream = stream();
        let mut counts = [0f64; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1.0;
        }
        let chi_square: f64 = counts.iter().map(|c| (c - 1e4) * (c - 1e4) / 1e4).sum();
        assert!(chi_square < 22.46, "{counts:?}");
    }

    #[test]
    fn a_large_bound_uses_all_bits() {
        let mut stream = stream();
        let bound = (1 << 62) + 1;
        assert!((0..100).map(|_| stream.below(bound)).all(|x| x < bound));
        assert!((0..100).map(|_| stream.below(bound)).any(|x| x > 1 << 61));
    }

    #[test]
    fn draws_are_those_of_the_stream_one_after_the_other() {
        let coins = Coins::new(7);
        let mut words = coins.stream();
        assert!((0..50).all(|draw| coins.draw(draw, 10) == words.below(10)));
    }

    #[test]
    fn chosen_places_are_distinct_and_in_order() {
        let mut stream = stream();
        for count in 0..=10 {
            let chosen = stream.choose(10, count);
            assert_eq!(chosen.len() as u64, count);
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(chosen.iter().all(|&place| place < 10));
        }
    }
}
