//! The memory that is free, and the words for a network that does not fit into it.

use crate::model::error::Input;

/// The memory that is free, in bytes, where the system tells.
pub(crate) fn free() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// What is wrong where `needed` bytes do not fit into `free` ones.
pub(crate) fn shortage(needed: u64, free: u64) -> String {
    let gib = |bytes: u64| bytes as f64 / (1u64 << 30) as f64;
    let (needed, free) = (gib(needed), gib(free));
    format!("that takes about {needed:.1} GiB of memory, and {free:.1} GiB are free")
}

/// Refuses `n` nodes that take more than `free` bytes, and names the most that would fit; `bytes`
/// says what a network of some size takes, which grows with its size.
pub(crate) fn check(n: u32, bytes: impl Fn(u32) -> u64, free: u64) -> Result<(), Input> {
    let needed = bytes(n);
    if needed <= free {
        return Ok(());
    }
    let (mut fits, mut too_large) = (0, n);
    while too_large - fits > 1 {
        let middle = fits + (too_large - fits) / 2;
        match bytes(middle) <= free {
            true => fits = middle,
            false => too_large = middle,
        }
    }
    let remedy = match fits {
        0 => "use a larger machine".to_owned(),
        fits => format!("use at most {fits}, or a larger machine"),
    };
    Err(Input::new("n", n, shortage(needed, free), remedy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_is_the_largest_size_that_fits() {
        let bytes = |n: u32| u64::from(n) * u64::from(n);
        assert_eq!(check(100, bytes, 10_000), Ok(()));
        let error = check(1_000_000, bytes, 10_000).expect_err("too large").to_string();
        assert!(error.contains("n = 1000000: that takes about 931.3 GiB of memory"), "{error}");
        assert!(error.contains("and 0.0 GiB are free; use at most 100, or a larger"), "{error}");
        let error = check(1, bytes, 0).expect_err("nothing fits").to_string();
        assert!(error.ends_with("use a larger machine"), "{error}");
    }
}
