//! Colours, dashes and markers: told apart on a screen, by colour-blind eyes, and in grey print.

/// Red, green, blue; as text in the way of style sheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Colour(pub u8, pub u8, pub u8);

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Colour(r, g, b) = self;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

/// For text and axes.
pub(super) const INK: Colour = Colour(0x22, 0x22, 0x22);
/// For what is said in passing.
pub(super) const FAINT: Colour = Colour(0x66, 0x66, 0x66);
/// For curves of theory.
pub(super) const THEORY: Colour = Colour(0x88, 0x88, 0x88);
/// For lines that only guide the eye.
pub(super) const GRID: Colour = Colour(0xe4, 0xe4, 0xe4);
/// For what contradicts a theorem.
pub(super) const ALARM: Colour = COLOURS[4];
/// For the paper.
pub(super) const PAPER: Colour = Colour(0xff, 0xff, 0xff);

/// For series beyond those that colours can tell apart: they are the context of the others.
pub(super) const CONTEXT: Colour = Colour(0x9a, 0x9a, 0x9a);

/// The colours of Okabe and Ito 2008 ("Color universal design"), without their yellow, which is too
/// light for lines on white, and with a dark red in its place. Neighbours also differ in lightness.
pub(super) const COLOURS: [Colour; 8] = [
    Colour(0x00, 0x72, 0xb2), // blue
    Colour(0xe6, 0x9f, 0x00), // orange
    Colour(0x00, 0x9e, 0x73), // bluish green
    Colour(0x56, 0xb4, 0xe9), // sky blue
    Colour(0xd5, 0x5e, 0x00), // vermillion
    Colour(0x00, 0x00, 0x00), // black
    Colour(0xcc, 0x79, 0xa7), // reddish purple
    Colour(0x88, 0x22, 0x55), // dark red
];

/// The shape of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    TriangleDown,
    Pentagon,
    Star,
    Hexagon,
}

const MARKERS: [Marker; 8] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::TriangleDown,
    Marker::Pentagon,
    Marker::Star,
    Marker::Hexagon,
];

impl Marker {
    /// The corners around the origin for a marker of radius 1; a circle has none.
    fn corners(self) -> Vec<(f64, f64)> {
        let regular = |corners: usize, turn: f64, radius: fn(usize) -> f64| {
            (0..corners)
                .map(|corner| {
                    let angle = (corner as f64 / corners as f64 + turn) * std::f64::consts::TAU;
                    (radius(corner) * angle.sin(), -radius(corner) * angle.cos())
                })
                .collect()
        };
        match self {
            Marker::Circle => Vec::new(),
            Marker::Square => regular(4, 0.125, |_| 1.2),
            Marker::Triangle => regular(3, 0.0, |_| 1.3),
            Marker::Diamond => regular(4, 0.0, |_| 1.3),
            Marker::TriangleDown => regular(3, 0.5, |_| 1.3),
            Marker::Pentagon => regular(5, 0.0, |_| 1.2),
            Marker::Star => regular(10, 0.0, |corner| if corner % 2 == 0 { 1.5 } else { 0.65 }),
            Marker::Hexagon => regular(6, 0.0, |_| 1.15),
        }
    }

    /// Its corners around a place; a circle has none.
    pub fn around(self, (x, y): (f64, f64), radius: f64) -> Vec<(f64, f64)> {
        self.corners().into_iter().map(|(dx, dy)| (x + radius * dx, y + radius * dy)).collect()
    }
}

/// The radius of a marker in a series.
pub(super) const MARKER: f64 = 4.0;

/// On and off by turns, in pixels; nothing is a line without gaps.
pub(super) type Dash = &'static [f64];

/// A line without gaps.
pub(super) const SOLID: Dash = &[];
/// For curves of theory.
pub(super) const DOTTED: Dash = &[1.5, 3.0];

/// For the mean of a distribution.
pub(super) const MEAN_DASH: Dash = &[8.0, 3.0];

const DASHES: [Dash; 5] = [SOLID, &[7.0, 3.0], &[2.5, 2.5], &[9.0, 3.0, 2.5, 3.0], &[14.0, 4.0]];

/// Dashes that tell curves of theory apart.
pub(super) const THEORY_DASHES: [Dash; 4] =
    [&[6.0, 3.0], DOTTED, &[10.0, 3.0, 1.5, 3.0], &[3.0, 3.0]];

/// How one series looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub colour: Colour,
    pub dash: Dash,
    pub marker: Marker,
}

/// The look of the series with this number. Eight have a colour of their own; who comes after them is
/// grey, and told apart by markers and dashes alone: eight and five have no common factor, so forty
/// of these look different.
pub(super) fn look(number: usize) -> Look {
    Look {
        colour: COLOURS.get(number).copied().unwrap_or(CONTEXT),
        dash: DASHES[number % DASHES.len()],
        marker: MARKERS[number % MARKERS.len()],
    }
}

/// Whether a marker is filled: simulated message by message. Hollow ones were counted.
pub(super) fn is_filled(engine: &str) -> bool {
    engine != "count"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_of_many_series_look_alike() {
        let looks: Vec<Look> = (0..48).map(look).collect();
        for (place, look) in looks.iter().enumerate() {
            assert!(!looks[place + 1..].contains(look), "series {place}");
            let colours = looks[place + 1..].iter().filter(|other| other.colour == look.colour);
            assert!(look.colour == CONTEXT || colours.count() == 0, "series {place}");
        }
    }

    #[test]
    fn neighbouring_colours_differ_in_grey() {
        // Relative luminance, as in ITU-R BT.709.
        let grey = |Colour(r, g, b): Colour| {
            0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
        };
        for (place, &colour) in COLOURS.iter().enumerate() {
            let next = COLOURS[(place + 1) % COLOURS.len()];
            assert!((grey(colour) - grey(next)).abs() > 25.0, "{colour:?} {next:?}");
        }
    }
}
