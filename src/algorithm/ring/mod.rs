//! Elections on rings.

mod anonymous;
mod bidirectional_chang_roberts;
mod chang_roberts;
mod clockwise;
mod clockwise_join;
mod content_oblivious;
mod dolev_klawe_rodeh_b;
mod fokkink_pang;
mod franklin;
mod higham_przytycka;
mod higham_przytycka_witness;
mod hirschberg_sinclair;
mod itai_rodeh;
mod k_neighbour;
mod lelann;
mod levels;
mod peterson;
mod peterson_alternating;
mod probabilistic_franklin;
mod radius_growth;
mod rounds_law;
mod time_slice;
mod token;
mod variable_speeds;
mod variable_speeds_listing;

pub use anonymous::Anonymous;
pub use bidirectional_chang_roberts::BidirectionalChangRoberts;
pub use chang_roberts::{Candidate, ChangRoberts};
pub use clockwise::Clockwise;
pub use clockwise_join::ClockwiseJoin;
pub use content_oblivious::{ContentOblivious, Pulse};
pub use dolev_klawe_rodeh_b::DolevKlaweRodehB;
pub use fokkink_pang::{FokkinkPang, Label};
pub use franklin::{Contender, Franklin};
pub use higham_przytycka::{Envelope, Envelopes, HighamPrzytycka};
pub use higham_przytycka_witness::HighamPrzytyckaWitness;
pub use hirschberg_sinclair::{HirschbergSinclair, Probing};
pub use itai_rodeh::{ItaiRodeh, Token};
pub use k_neighbour::KNeighbour;
pub use lelann::LeLann;
pub use peterson::Peterson;
pub use peterson_alternating::PetersonAlternating;
pub use probabilistic_franklin::{Drawn, ProbabilisticFranklin};
pub use radius_growth::RadiusGrowth;
pub use time_slice::TimeSlice;
pub use token::RingToken;
pub use variable_speeds::{Speeds, VariableSpeeds};
pub use variable_speeds_listing::VariableSpeedsListing;

/// The ring with ranks 0, 1, …, n-1 clockwise.
pub(crate) fn ascending(n: u32) -> Vec<u32> {
    (0..n).collect()
}

/// The ring with ranks n-1, …, 1, 0 clockwise.
pub(crate) fn descending(n: u32) -> Vec<u32> {
    (0..n).rev().collect()
}

/// Calls `visit` with every order of what comes after `fixed`.
#[cfg(test)]
fn every_order(ids: &mut [u64], fixed: usize, visit: &mut impl FnMut(&[u64])) {
    if fixed == ids.len() {
        return visit(ids);
    }
    for chosen in fixed..ids.len() {
        ids.swap(fixed, chosen);
        every_order(ids, fixed + 1, visit);
        ids.swap(fixed, chosen);
    }
}
