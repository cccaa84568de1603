//! Message counts of many runs as a short word of plain text.
//!
//! Each count is written as its distance from the smallest, in groups of five bits, lowest first;
//! a group is one of 64 characters, and those of the upper half say that more follow. `*` and a
//! number repeat the count before so many times more.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const GROUP: u32 = 5;
const MORE: u64 = 1 << GROUP;
const REPEAT: u8 = b'*';

/// The counts as text; none is below `min`.
pub(super) fn encode(counts: &[u64], min: u64) -> String {
    let mut text = String::new();
    for equal in counts.chunk_by(|a, b| a == b) {
        let distance = equal[0].wrapping_sub(min);
        write(&mut text, distance);
        // Two of one character are as short as a repetition of it.
        match equal.len() as u64 - 1 {
            0 => {}
            1 if distance < MORE => write(&mut text, distance),
            more => {
                text.push(char::from(REPEAT));
                write(&mut text, more);
            }
        }
    }
    text
}

fn write(text: &mut String, mut value: u64) {
    while value >= MORE {
        text.push(char::from(DIGITS[(value % MORE + MORE) as usize]));
        value /= MORE;
    }
    text.push(char::from(DIGITS[value as usize]));
}

/// The counts behind a text; `None` if it is none, or has more than `most` counts.
pub(super) fn decode(text: &str, min: u64, most: usize) -> Option<Vec<u64>> {
    let mut bytes = text.bytes().peekable();
    let mut counts: Vec<u64> = Vec::new();
    while let Some(&first) = bytes.peek() {
        let (value, times) = if first == REPEAT {
            bytes.next();
            (*counts.last()?, read(&mut bytes)?)
        } else {
            (read(&mut bytes)?.wrapping_add(min), 1)
        };
        if times > (most - counts.len()) as u64 {
            return None;
        }
        counts.extend(std::iter::repeat_n(value, times as usize));
    }
    Some(counts)
}

fn read(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut value = 0u64;
    for place in 0.. {
        let byte = bytes.next()?;
        let digit = DIGITS.iter().position(|&digit| digit == byte)? as u64;
        let group = digit % MORE;
        let shift = GROUP * place;
        if shift >= u64::BITS || (group << shift) >> shift != group {
            return None;
        }
        value |= group << shift;
        if digit < MORE {
            break;
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_counts_take_one_place() {
        assert_eq!(encode(&[7, 7, 7, 7], 7), "A*D");
        assert_eq!(encode(&[7, 7, 39, 7], 7), "AAgBA");
        assert_eq!(decode("AAgBA", 7, 9), Some(vec![7, 7, 39, 7]));
    }

    #[test]
    fn what_is_no_text_of_counts_is_refused() {
        for bad in ["*A", "g", "?", "A*", "A*__________________", "A*_", "é"] {
            assert_eq!(decode(bad, 0, 9), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn counts_read_as_they_are_written(
            counts in prop::collection::vec(prop_oneof![any::<u64>(), 0u64..40], 0..60),
            min in prop_oneof![any::<u64>(), 0u64..40],
        ) {
            let text = encode(&counts, min);
            prop_assert_eq!(decode(&text, min, counts.len()), Some(counts));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,40}", min: u64) {
            if let Some(counts) = decode(&text, min, 50) {
                prop_assert!(counts.len() <= 50);
            }
        }
    }
}
