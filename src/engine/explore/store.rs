//! Where the global states are kept: rows of small numbers in one arena, found again by one table of
//! their indices. Equal rows are compared as they stand, so no two states are taken for one.

/// The rows that were met, by number in the order of their first meeting.
#[derive(Debug)]
pub(super) struct Store {
    columns: usize,
    /// How many bytes a number takes: 1, 2 or 4. All grow when one does not fit any more.
    width: usize,
    rows: Vec<u8>,
    count: usize,
    /// One more than the number of the row that stands here, or 0; a power of two long.
    table: Vec<u32>,
    /// The row that is looked for, as bytes.
    wanted: Vec<u8>,
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
            wanted: Vec::new(),
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
        self.rows.capacity() + growing + self.table.len() * size_of::<u32>()
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
        let mut wanted = std::mem::take(&mut self.wanted);
        while !pack(row, self.width, &mut wanted) {
            self.rewrite(self.columns, self.width * 2);
        }
        let mask = self.table.len() - 1;
        let mut place = hash(&wanted) as usize & mask;
        let number = loop {
            match self.table[place] {
                0 => break self.count as u32,
                known => {
                    let start = (known - 1) as usize * wanted.len();
                    if self.rows[start..start + wanted.len()] == wanted[..] {
                        break known - 1;
                    }
                }
            }
            place = (place + 1) & mask;
        };
        if number as usize == self.count {
            self.rows.extend_from_slice(&wanted);
            self.count += 1;
            self.table[place] = self.count as u32;
            // At most five eighths are taken, so that searches stay short.
            if self.count * 8 > self.table.len() * 5 {
                self.rehash(self.table.len() * 2);
            }
        }
        self.wanted = wanted;
        number
    }

    /// Gives every row so many columns, new ones with 0 in them.
    pub(super) fn widen(&mut self, columns: usize) {
        self.rewrite(columns, self.width);
    }

    fn rewrite(&mut self, columns: usize, width: usize) {
        let (mut rows, mut row, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..self.count as u32 {
            self.row(number, &mut row);
            row.resize(columns, 0);
            pack(&row, width, &mut bytes);
            rows.extend_from_slice(&bytes);
        }
        (self.columns, self.width, self.rows) = (columns, width, rows);
        self.rehash(self.table.len());
    }

    fn rehash(&mut self, size: usize) {
        let length = self.columns * self.width;
        self.table.clear();
        self.table.resize(size, 0);
        for number in 0..self.count {
            let mut place = hash(&self.rows[number * length..][..length]) as usize & (size - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = number as u32 + 1;
        }
    }
}

/// Writes a row with so many bytes for a number; `false` if one of them does not fit.
fn pack(row: &[u32], width: usize, bytes: &mut Vec<u8>) -> bool {
    bytes.clear();
    let all = row.iter().fold(0, |all, &number| all | number);
    match width {
        1 => bytes.extend(row.iter().map(|&number| number as u8)),
        2 => row.iter().for_each(|&number| bytes.extend((number as u16).to_le_bytes())),
        _ => row.iter().for_each(|&number| bytes.extend(number.to_le_bytes())),
    }
    width == 4 || all >> (8 * width) == 0
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
        store.widen(5);
        assert_eq!(store.number(&[0, 0, 65536, 0, 0]), 3001);
        assert_eq!(store.number(&[0, 0, 65536, 0, 1]), 3002);
        assert_eq!(store.count(), 3003);
    }
}
