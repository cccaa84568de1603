//! Unsigned integers of 512 bits: as wide as the products of the power sums get.

use std::cmp::Ordering;

const LIMBS: usize = 8;

/// An unsigned integer below 2^512, least significant limb first.
///
/// Values are below 2^64 and there are fewer than 2^64 of them, so the sums of the values, of their
/// squares and of their cubes stay below 2^128, 2^192 and 2^256, and the products of sums that the
/// moments need stay below 2^448: nothing here ever overflows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wide([u64; LIMBS]);

impl Wide {
    pub(super) const ZERO: Self = Self([0; LIMBS]);

    pub(super) fn add(self, other: Self) -> Self {
        let mut carry = 0;
        Self(std::array::from_fn(|limb| {
            let sum = u128::from(self.0[limb]) + u128::from(other.0[limb]) + carry;
            carry = sum >> 64;
            sum as u64
        }))
    }

    /// The distance between two numbers and how the first stands to the second.
    pub(super) fn distance(self, other: Self) -> (Ordering, Self) {
        let ordering = self.0.iter().rev().cmp(other.0.iter().rev());
        let (large, small) = if ordering.is_lt() { (other, self) } else { (self, other) };
        let mut borrow = false;
        let distance = Self(std::array::from_fn(|limb| {
            let (rest, under) = large.0[limb].overflowing_sub(small.0[limb]);
            let (rest, under_again) = rest.overflowing_sub(u64::from(borrow));
            borrow = under || under_again;
            rest
        }));
        (ordering, distance)
    }

    /// `self - other` as the nearest floating number, with its sign.
    pub(super) fn minus(self, other: Self) -> f64 {
        match self.distance(other) {
            (Ordering::Less, distance) => -distance.to_f64(),
            (_, distance) => distance.to_f64(),
        }
    }

    pub(super) fn times(self, other: Self) -> Self {
        let mut product = [0u64; LIMBS];
        for (low, &factor) in self.0.iter().enumerate().filter(|(_, factor)| **factor != 0) {
            let mut carry = 0u128;
            for (high, limb) in product[low..].iter_mut().enumerate() {
                carry += u128::from(factor) * u128::from(other.0[high]) + u128::from(*limb);
                *limb = carry as u64;
                carry >>= 64;
            }
        }
        Self(product)
    }

    /// The number with one rounding more than the nearest: off by at most 2^-52 of itself.
    pub(super) fn to_f64(self) -> f64 {
        let Some(top) = self.0.iter().rposition(|&limb| limb != 0) else { return 0.0 };
        // Two limbs hold at least 65 significant bits, all that a float can show.
        let low = top.saturating_sub(1);
        let leading = u128::from(self.0[low]) | u128::from(self.0[low + 1]) << 64;
        leading as f64 * 2f64.powi(64 * low as i32)
    }
}

impl From<u64> for Wide {
    fn from(value: u64) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[0] = value;
        Self(limbs)
    }
}

impl From<u128> for Wide {
    fn from(value: u128) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[0] = value as u64;
        limbs[1] = (value >> 64) as u64;
        Self(limbs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn arithmetic_agrees_with_128_bits(a in any::<u64>(), b in any::<u64>(), c in any::<u64>()) {
            let product = Wide::from(a).times(Wide::from(b));
            prop_assert_eq!(product, Wide::from(u128::from(a) * u128::from(b)));
            let sum = u128::from(a) + u128::from(b);
            prop_assert_eq!(Wide::from(a).add(Wide::from(b)), Wide::from(sum));
            // (a + b) c = a c + b c, also where it takes 129 bits.
            let left = Wide::from(sum).times(Wide::from(c));
            let right = product_of(a, c).add(product_of(b, c));
            prop_assert_eq!(left, right);
            prop_assert_eq!(left.distance(right), (Ordering::Equal, Wide::default()));
            prop_assert_eq!(Wide::from(a).minus(Wide::from(b)), (i128::from(a) - i128::from(b)) as f64);
        }
    }

    fn product_of(a: u64, b: u64) -> Wide {
        Wide::from(u128::from(a) * u128::from(b))
    }

    #[test]
    fn borrows_and_carries_cross_limbs() {
        let large = Wide::from(u128::MAX).times(Wide::from(u128::MAX));
        let next = large.add(Wide::from(1u64));
        assert_eq!(next.distance(large), (Ordering::Greater, Wide::from(1u64)));
        assert_eq!(large.minus(next), -1.0);
        assert_eq!(large.to_f64(), 2f64.powi(256));
        let cube = large.times(Wide::from(u128::MAX));
        assert_eq!(cube.to_f64(), 2f64.powi(384));
    }
}
