//! The cells of an area effect in the order in which the engine walks them.
//!
//! Ring r holds the cells whose longer leg plus half the shorter one, truncated, is r. A ring is walked row by row from the
//! north and from west to east; only the row north of the centre goes from east to west, and the last ring was entered by
//! hand, one cell of it wrong (spec `inspect_cell_spread`, clauses walk.1 to walk.3).

/// Cells up to the end of a ring, by ring.
pub const COUNTS: [usize; 12] = [1, 9, 21, 37, 61, 89, 121, 161, 205, 253, 309, 369];

/// Every offset from the centre, x and y in cells.
pub static OFFSETS: [[i8; 2]; 369] = build();

/// Ring 11 in pairs and fours, each turned into its mirror images by [`build`].
const LAST: [(i8, i8); 15] = [
    (0, 11),
    (1, 11),
    (2, 11),
    (3, 11),
    (4, 9),
    (5, 9),
    (6, 8),
    (7, 8),
    (8, 7),
    (8, 6),
    (9, 5),
    (9, 4),
    (10, 3),
    (10, 2),
    (11, 1),
];

const fn build() -> [[i8; 2]; 369] {
    let mut offsets = [[0; 2]; 369];
    let (mut count, mut ring) = (1, 1);
    while ring <= 10 {
        let mut y = -ring;
        while y <= ring {
            let mut step = -ring;
            while step <= ring {
                let x = if ring == 1 && y == -1 { -step } else { step };
                if on_ring(x, y, ring) {
                    offsets[count] = [x, y];
                    count += 1;
                }
                step += 1;
            }
            y += 1;
        }
        ring += 1;
    }
    let mut row = 0;
    while row < LAST.len() {
        let (x, y) = LAST[row];
        let four = [[-x, y], [x, y], [-x, -y], if x == 3 { [-x, y] } else { [x, -y] }];
        let mut corner = if x == 0 { 1 } else { 0 };
        while corner < 4 {
            offsets[count] = four[corner];
            count += 1;
            // On the axis left and right are the same cell.
            corner += if x == 0 { 2 } else { 1 };
        }
        row += 1;
    }
    offsets[count] = [11, 0];
    offsets[count + 1] = [-11, 0];
    offsets
}

const fn on_ring(x: i8, y: i8, ring: i8) -> bool {
    let (across, along) = (x.abs(), y.abs());
    let (longer, shorter) = if across > along { (across, along) } else { (along, across) };
    longer + shorter / 2 == ring
}
