//! What a single lost token costs, by proof.
//!
//! Let all timers be T, δ the delay, h the hold, and forward K >= n be lost, by the node before s. The
//! node s passed the token on n-1 forwards earlier, so its timer runs out first, T - (n-1)(δ+h) after
//! the loss; the node i places after s follows i(δ+h) later, and by then the message of s, or a larger
//! one, has reached it, iδ after s. So s is the only one who starts. Its message goes to the first
//! larger ID, which sends its own, and so on to the largest, D places from s, and once round: n + D
//! messages one after another. The timer of the winner runs out D(δ+h) after that of s, that is
//! Dh - nδ after the election. In `lecture` it still runs while the winner holds the new token, and if
//! that is from 0 to less than h, a second election begins although there is a token: if and only if
//! D = ceil(nδ/h).

use super::clock::Moment;
use super::outcome::Outcome;
use super::setting::{Setting, Variant};

/// What a single lost token costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prediction {
    /// The position of the node whose timer runs out.
    pub starter: u32,
    /// How many places the largest ID is after it.
    pub distance: u64,
    /// How long after the loss the timer runs out.
    pub detection: Moment,
    /// How long after the loss there is a token again.
    pub recovery: Moment,
    /// Messages of the election.
    pub messages: u64,
    /// Whether the winner's own timer makes a second token.
    pub second_token: bool,
}

impl Prediction {
    /// What follows for a run, or why nothing does.
    pub fn of(setting: &Setting) -> Result<Self, &'static str> {
        let n = setting.n();
        let lost = setting.lose.given.iter().next();
        let (Some(&lost), 1, 0.0) = (lost, setting.lose.given.len(), setting.lose.share) else {
            return Err("they are about exactly one lost token");
        };
        let (Some(delay), Some(timer)) = (setting.hop.delay.constant(), setting.timer.constant())
        else {
            return Err("they are about delays and timers that are always the same");
        };
        let (hold, hop) = (setting.hop.hold, setting.hop.mean());
        let shortest = match setting.variant {
            Variant::Lecture => setting.rotation(),
            _ => setting.rotation().since(hold),
        };
        if !setting.lose_election.are_none() {
            return Err("they are about elections of which no message is lost");
        } else if setting.live {
            return Err("they are about timers that are ignored during an election");
        } else if lost < n {
            return Err("they are about tokens that are lost after the first rotation");
        } else if timer < shortest {
            return Err("the timer is shorter than a rotation takes");
        } else if delay == Moment::ZERO {
            return Err("messages take no time at all");
        }
        let starter = lost % n;
        let largest = (0..n).max_by_key(|&place| setting.ids[place as usize]).unwrap_or(0);
        let distance = (largest + n - starter) % n;
        let detection = timer.since(hop.times(n - 1));
        let meets = delay.times(n).divided_up(hold) == Some(distance);
        Ok(Prediction {
            starter: starter as u32,
            distance,
            detection,
            recovery: detection.plus(delay.times(n + distance)),
            messages: n + distance,
            second_token: setting.variant == Variant::Lecture && meets,
        })
    }

    /// Whether a run came to this; `None` if it ended too early to tell.
    pub fn agrees(&self, setting: &Setting, outcome: &Outcome) -> Option<bool> {
        let outage = outcome.outages.first()?;
        // The winner's timer runs out while it holds the new token; another election follows.
        let longest = setting.hop.delay.mean().times(2 * setting.n()).plus(setting.hop.hold);
        let end = outage.begin.plus(self.recovery);
        let told = if self.second_token { end.plus(longest) } else { end };
        if told > setting.until {
            return None;
        }
        let first = outcome.elected.first().map(|&(time, _)| time);
        let one = outcome.elected.len() == 1 && outcome.election_messages == self.messages;
        Some(
            outage.detection == Some(self.detection)
                && outage.recovery == Some(self.recovery)
                && first == Some(end)
                && (outcome.max_tokens > 1) == self.second_token
                && (self.second_token || one),
        )
    }
}
