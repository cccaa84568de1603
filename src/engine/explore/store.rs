//! Where the global states are kept: rows of small numbers in one arena, found again by one table of
//! their indices. Equal rows are compared as they stand, so no two states are taken for one.
//!
//! Rows lie all over memory, so one is only looked at where a byte of its hash, kept apart in an array
//! small enough for a cache, is the right one.

use std::hint::black_box;

/// The rows that were met, by number in the order of their first meeting.
#[derive(Debug)]
pub(super) struct Store {
    columns: usize,
    /// How many bytes a number takes: 1, 2 or 4. All grow when one does not fit any more.
    width: usize,
    rows: Vec<u8>,
    count: usize,
    /// The number of the row that stands here; a power of two long.
    table: Vec<u32>,
    /// The [`tag`] of that row's hash, or 0 where none stands.
    tags: Vec<u8>,
    /// The rows that are looked for, as bytes.
    wanted: Vec<u8>,
    /// Their hashes.
    hashes: Vec<u64>,
}

/// The first size of the table.
const SMALLEST: usize = 1 << 8;

impl Store {
    pub(super) fn new(columns: usize) -> Self {
        Store {
            columns,
            width: 1,
            rows: Vec::new(),
            count: 0,
            table: vec![0; SMALLEST],
            tags: vec![0; SMALLEST],
            wanted: Vec::new(),
            hashes: Vec::new(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The bytes that it takes, and those that it would take while it grows.
    pub(super) fn bytes(&self) -> usize {
        let growing = if self.rows.len() + self.columns * self.width > self.rows.capacity() {
            self.rows.capacity() * 2
        } else {
            0
        };
        self.rows.capacity() + growing + self.table.len() * (size_of::<u32>() + size_of::<u8>())
    }

    /// The row with this number.
    pub(super) fn row(&self, number: u32, row: &mut Vec<u32>) {
        let length = self.columns * self.width;
        let bytes = &self.rows[number as usize * length..][..length];
        row.clear();
        match self.width {
            1 => row.extend(bytes.iter().map(|&byte| u32::from(byte))),
            2 => row.extend(
                bytes.as_chunks().0.iter().map(|&bytes| u32::from(u16::from_le_bytes(bytes))),
            ),
            _ => row.extend(bytes.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes))),
        }
    }

    /// The number of a row, whether it is new or not.
    pub(super) fn number(&mut self, row: &[u32]) -> u32 {
        let mut number = 0;
        self.numbers(row, |found| number = found);
        number
    }

    /// The numbers of several rows, one behind the other, whether they are new or not.
    ///
    /// Where they may stand is known for all before any of them is looked for, so that they are
    /// brought into the cache together.
    pub(super) fn numbers(&mut self, rows: &[u32], mut found: impl FnMut(u32)) {
        let mut wanted = std::mem::take(&mut self.wanted);
        let mut hashes = std::mem::take(&mut self.hashes);
        while !fits(rows, self.width) {
            self.rewrite(self.columns, self.width * 2);
        }
        let length = self.columns * self.width;
        wanted.clear();
        pack(rows, self.width, &mut wanted);
        let mask = self.table.len() - 1;
        hashes.clear();
        for row in wanted.chunks_exact(length) {
            let hash = hash(row);
            black_box(self.tags[hash as usize & mask]);
            hashes.push(hash);
        }
        for &hash in &hashes {
            black_box(self.rows.get(self.table[hash as usize & mask] as usize * length));
        }
        for (row, &hash) in wanted.chunks_exact(length).zip(&hashes) {
            found(self.find(row, hash));
        }
        (self.wanted, self.hashes) = (wanted, hashes);
    }

    /// The number of a row with this hash, whether it is new or not.
    fn find(&mut self, wanted: &[u8], hash: u64) -> u32 {
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.tags[place] {
                0 => break,
                other if other == tag(hash) => {
                    let known = self.table[place];
                    let start = known as usize * wanted.len();
                    if are_equal(&self.rows[start..start + wanted.len()], wanted) {
                        return known;
                    }
                }
                _ => {}
            }
            place = (place + 1) & mask;
        }
        let number = self.count as u32;
        self.rows.extend_from_slice(wanted);
        self.count += 1;
        (self.table[place], self.tags[place]) = (number, tag(hash));
        // At most five eighths are taken, so that searches stay short.
        if self.count * 8 > self.table.len() * 5 {
            self.rehash(self.table.len() * 2);
        }
        number
    }

    /// Gives every row so many columns, new ones with 0 in them.
    pub(super) fn widen(&mut self, columns: usize) {
        self.rewrite(columns, self.width);
    }

    fn rewrite(&mut self, columns: usize, width: usize) {
        let (mut rows, mut row) = (Vec::new(), Vec::new());
        for number in 0..self.count as u32 {
            self.row(number, &mut row);
            row.resize(columns, 0);
            pack(&row, width, &mut rows);
        }
        (self.columns, self.width, self.rows) = (columns, width, rows);
        self.rehash(self.table.len());
    }

    fn rehash(&mut self, size: usize) {
        let length = self.columns * self.width;
        self.table.clear();
        self.table.resize(size, 0);
        self.tags.clear();
        self.tags.resize(size, 0);
        for number in 0..self.count {
            let hash = hash(&self.rows[number * length..][..length]);
            let mut place = hash as usize & (size - 1);
            while self.tags[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            (self.table[place], self.tags[place]) = (number as u32, tag(hash));
        }
    }
}

/// A byte of a hash that is never 0, from bits that do not choose the place.
fn tag(hash: u64) -> u8 {
    (hash >> 57) as u8 + 1
}

/// Whether two rows of one length are equal, without a call for a few bytes.
fn are_equal(a: &[u8], b: &[u8]) -> bool {
    let ((a_words, a_rest), (b_words, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let differ = |(a, b): (&[u8; 8], &[u8; 8])| u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b);
    a_words.iter().zip(b_words).map(differ).fold(0, |all, bits| all | bits) == 0
        && a_rest.iter().zip(b_rest).all(|(a, b)| a == b)
}

/// Whether so many bytes hold each of the numbers.
fn fits(numbers: &[u32], width: usize) -> bool {
    width == 4 || numbers.iter().fold(0, |all, &number| all | number) >> (8 * width) == 0
}

/// Writes rows behind others with so many bytes for a number.
fn pack(rows: &[u32], width: usize, bytes: &mut Vec<u8>) {
    match width {
        1 => bytes.extend(rows.iter().map(|&number| number as u8)),
        2 => rows.iter().for_each(|&number| bytes.extend((number as u16).to_le_bytes())),
        _ => rows.iter().for_each(|&number| bytes.extend(number.to_le_bytes())),
    }
}

/// Eight bytes at a time, each mixed by a multiplication whose two halves are folded.
fn hash(bytes: &[u8]) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |word: u64| {
        let product = u128::from(word) * u128::from(MIX);
        (product >> 64) as u64 ^ product as u64
    };
    let (words, rest) = bytes.as_chunks();
    let mut hash = words.iter().fold(MIX, |hash, &word| fold(hash ^ u64::from_le_bytes(word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hash = fold(hash ^ u64::from_le_bytes(last));
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_again_however_large_their_numbers_become() {
        let mut store = Store::new(3);
        let rows: Vec<[u32; 3]> = (0..3000u32)
            .map(|i| [i % 7, i, if i < 2000 { 0 } else { i * 1000 }])
            .chain([[u32::MAX, 0, 256], [0, 0, 65536]])
            .collect();
        for (number, row) in (0..).zip(&rows) {
            assert_eq!(store.number(row), number);
        }
        let mut found = Vec::new();
        for (number, row) in (0..).zip(&rows) {
            assert_eq!(store.number(row), number);
            store.row(number, &mut found);
            assert_eq!(found, row);
        }
        let mut numbers = Vec::new();
        store.numbers(rows.as_flattened(), |number| numbers.push(number));
        assert!(numbers.iter().copied().eq(0..3002));
        store.widen(5);
        assert_eq!(store.number(&[0, 0, 65536, 0, 0]), 3001);
        assert_eq!(store.number(&[0, 0, 65536, 0, 1]), 3002);
        assert_eq!(store.count(), 3003);
    }
}
