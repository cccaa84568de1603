//! The token ring against values that were worked out elsewhere, and against its own theorems.

use hustings::application::token_ring::{
    Hop, Losses, Moment, Outcome, Prediction, Setting, Span, Variant, run,
};
use hustings::model::delay::Delay;
use hustings::model::process::Id;
use hustings::model::random::{Key, Purpose};
use hustings::model::stop::NEVER;

use crate::command_line::hustings;
use crate::common::{every_order, random_ranks, words};

const ALL: [Variant; 4] = [Variant::Lecture, Variant::Fixed, Variant::Stamp, Variant::Retry];

/// Those whose tokens end timers.
const REPAIRED: [Variant; 3] = [Variant::Fixed, Variant::Stamp, Variant::Retry];

fn units(time: u64) -> Moment {
    Moment::units(time)
}

fn hop((delay, hold): (u64, u64)) -> Hop {
    Hop { delay: Span::Constant(units(delay)), hold: units(hold) }
}

/// A ring with equal timers on which these forwards are lost.
fn ring(ids: &[Id], times: (u64, u64), timer: u64, variant: Variant, lost: &[u64]) -> Setting {
    let lose = Losses::given(lost.iter().copied());
    Setting { lose, ..Setting::new(ids.to_vec(), hop(times), units(timer), variant) }
}

fn go(setting: &Setting) -> Outcome {
    let key = Key::new(1, "token-ring", setting.n(), "", "");
    run(setting, &key, 0, &NEVER, &mut |_, _, _| {}).expect("a good ring")
}

/// The IDs of these ranks.
fn ids(ranks: &[u32]) -> Vec<Id> {
    ranks.iter().map(|&rank| Id::from(rank) + 1).collect()
}

#[test]
fn a_lost_token_costs_what_the_example_of_eight_says() {
    let ids = [0, 4, 2, 6, 1, 5, 3, 7];
    // Forward, when it is lost, when and where the first timer runs out, messages, when elected.
    for (forward, lost, expiry, at, messages, elected) in [
        (9, 17, 23, 1, 14, 37),
        (12, 23, 29, 4, 11, 40),
        (15, 29, 35, 7, 8, 43),
        (16, 31, 37, 0, 15, 52),
    ] {
        for variant in ALL {
            let outcome = go(&ring(&ids, (1, 1), 20, variant, &[forward]));
            assert_eq!(outcome.outages[0].begin, units(lost), "{variant} {forward}");
            assert_eq!(outcome.expiries, [(units(expiry), at)], "{variant} {forward}");
            assert_eq!(outcome.elected, [(units(elected), 7)], "{variant} {forward}");
            assert_eq!(outcome.election_messages, messages, "{variant} {forward}");
            assert_eq!((outcome.max_tokens, outcome.tokens_at_end), (1, 1));
            assert_eq!(outcome.spurious, 0);
        }
    }
}

#[test]
fn two_tokens_come_of_one_loss_in_the_example_of_six() {
    let ids = [1, 2, 3, 4, 5, 6];
    let outcome = go(&ring(&ids, (1, 3), 30, Variant::Lecture, &[9]));
    assert_eq!(outcome.elected, [(units(53), 5), (units(59), 5)]);
    assert_eq!((outcome.election_messages, outcome.max_tokens), (17, 2));
    for (forward, messages) in [(7, 10), (8, 9), (10, 7), (11, 6), (12, 11)] {
        let outcome = go(&ring(&ids, (1, 3), 30, Variant::Lecture, &[forward]));
        assert_eq!((outcome.election_messages, outcome.max_tokens), (messages, 1), "{forward}");
    }
    for variant in REPAIRED {
        let outcome = go(&ring(&ids, (1, 3), 30, variant, &[9]));
        assert_eq!((outcome.elected.len(), outcome.max_tokens), (1, 1), "{variant}");
    }
}

/// Pairs of delay and hold, from no hold to one that is four times the delay.
const PAIRS: [(u64, u64); 8] = [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 3), (3, 2)];

#[test]
fn one_loss_costs_n_plus_d_and_makes_a_second_token_exactly_where_it_must() {
    let (mut runs, mut second) = (0, 0);
    let mut words = words("one loss", 0);
    for n in 2..=6u32 {
        for pair in PAIRS {
            let rotation = u64::from(n) * (pair.0 + pair.1);
            for timer in [rotation, rotation + 1, rotation * 3 / 2, 2 * rotation] {
                for forward in u64::from(n)..2 * u64::from(n) {
                    for largest in 0..n as usize {
                        // The largest ID everywhere, the others anyhow.
                        let mut ranks = random_ranks(n, &mut words);
                        let place = ranks.iter().position(|&rank| rank == n - 1).expect("there");
                        ranks.swap(place, largest);
                        let ids = ids(&ranks);
                        for variant in ALL {
                            let setting = ring(&ids, pair, timer, variant, &[forward]);
                            let told = Prediction::of(&setting).expect("it is about this");
                            let outcome = go(&setting);
                            assert_eq!(
                                told.agrees(&setting, &outcome),
                                Some(true),
                                "{setting:?} {told:?} {outcome:?}"
                            );
                            runs += 1;
                            second += u32::from(told.second_token);
                        }
                    }
                }
            }
        }
    }
    assert!(runs >= 5000 && second > 100, "{runs} runs, {second} with a second token");
}

#[test]
fn the_repaired_rings_need_no_longer_timer_than_a_rotation_without_a_hold() {
    for n in 2..=5u32 {
        let ids = ids(&(0..n).rev().collect::<Vec<_>>());
        for pair in PAIRS {
            let shortest = u64::from(n) * (pair.0 + pair.1) - pair.1;
            for variant in REPAIRED {
                for forward in u64::from(n)..2 * u64::from(n) {
                    let setting = ring(&ids, pair, shortest, variant, &[forward]);
                    let told = Prediction::of(&setting).expect("it is about this");
                    assert_eq!(told.agrees(&setting, &go(&setting)), Some(true), "{setting:?}");
                }
            }
        }
    }
}

#[test]
fn read_to_the_letter_every_loss_makes_a_second_token() {
    for n in 3..=6u32 {
        for pair in [(1, 1), (1, 2), (2, 1), (1, 3)] {
            let rotation = u64::from(n) * (pair.0 + pair.1);
            for forward in u64::from(n)..2 * u64::from(n) {
                for timer in [rotation, 2 * rotation] {
                    let ids = ids(&(0..n).collect::<Vec<_>>());
                    let setting = ring(&ids, pair, timer, Variant::Lecture, &[forward]);
                    let outcome = go(&Setting { live: true, ..setting });
                    assert!(outcome.max_tokens >= 2, "{n} {pair:?} {timer} {forward}");
                }
            }
        }
    }
}

/// The first forward is lost while all timers are equal, so all but one run out at once: the mean over
/// all orders is n H_n - 1 + 1/n.
#[test]
fn all_but_one_start_when_the_first_forward_is_lost() {
    for n in 2..=5u32 {
        for variant in ALL {
            let (mut sum, mut orders) = (0, 0);
            every_order(n, |ranks| {
                let outcome = go(&ring(&ids(ranks), (1, 1), 3 * u64::from(n), variant, &[1]));
                let first = outcome.expiries[0].0;
                let starters = outcome.expiries.iter().filter(|(time, _)| *time == first).count();
                assert_eq!(starters as u32, n - 1);
                assert_eq!(outcome.max_tokens, 1);
                sum += outcome.election_messages;
                orders += 1;
            });
            let harmonic: f64 = (1..=n).map(|k| 1.0 / f64::from(k)).sum();
            let mean = f64::from(n) * harmonic - 1.0 + 1.0 / f64::from(n);
            assert!((sum as f64 / f64::from(orders) - mean).abs() < 1e-9, "{n} {variant}");
        }
    }
}

#[test]
fn a_timer_that_is_too_short_is_spurious_exactly_where_it_must() {
    for n in 3..=5u32 {
        for pair in [(1, 1), (1, 2), (2, 1), (1, 0), (3, 1), (1, 3)] {
            let (delay, hold) = pair;
            let rotation = u64::from(n) * (delay + hold);
            for timer in rotation / 2..=rotation + 1 {
                let mut duplicated = false;
                every_order(n, |ranks| {
                    let [lecture, fixed] = [Variant::Lecture, Variant::Fixed].map(|variant| {
                        let setting = ring(&ids(ranks), pair, timer, variant, &[]);
                        go(&Setting { until: units(8 * rotation), ..setting })
                    });
                    assert_eq!(lecture.spurious > 0, timer < rotation, "{pair:?} {timer}");
                    assert_eq!(lecture.max_tokens > 1, timer < rotation, "{pair:?} {timer}");
                    assert_eq!(fixed.spurious > 0, timer < rotation - hold, "{pair:?} {timer}");
                    duplicated |= fixed.max_tokens > 1;
                });
                if delay >= 2 * hold && timer >= u64::from(n - 1) * (delay + hold) {
                    assert!(!duplicated, "{n} {pair:?} {timer}");
                }
                if delay <= hold && timer < rotation - hold {
                    assert!(duplicated, "{n} {pair:?} {timer}");
                }
            }
        }
    }
}

#[test]
fn tokens_multiply_in_the_example_of_eight() {
    let ids: Vec<Id> = (0..8).map(|place| (5 * place + 3) % 8).collect();
    let alive = [4, 5, 8, 9, 12, 14, 15].map(|timer| {
        let setting = ring(&ids, (1, 1), timer, Variant::Lecture, &[]);
        go(&Setting { until: units(400 * 16), ..setting }).tokens_at_end
    });
    assert_eq!(alive, [1198, 800, 2, 7, 3, 2, 4]);
}

/// Numbered tokens: of several the newest is left within a rotation after the last election.
#[test]
fn stamps_remove_what_is_too_many() {
    let ids: Vec<Id> = (0..8).map(|place| (5 * place + 3) % 8).collect();
    for timer in [4, 5, 8, 9, 12, 14] {
        let outcome = go(&ring(&ids, (1, 1), timer, Variant::Stamp, &[]));
        assert!(outcome.max_tokens <= 3, "{timer}: {}", outcome.max_tokens);
        assert_eq!(outcome.discarded + outcome.tokens_at_end, outcome.elected.len() as u64 + 1);
    }
}

/// Whatever message of the election is lost as well, an election that is called again ends; without
/// that the ring hangs in some of these.
#[test]
fn an_election_that_loses_a_message_is_called_again() {
    let mut hung = 0;
    for n in 2..=4u32 {
        every_order(n, |ranks| {
            for forward in [1, u64::from(n), u64::from(n) + 1] {
                let lossless =
                    go(&ring(&ids(ranks), (1, 1), 3 * u64::from(n), Variant::Retry, &[forward]));
                for lost in 1..=lossless.election_messages {
                    let [stamp, retry] = [Variant::Stamp, Variant::Retry].map(|variant| {
                        let setting =
                            ring(&ids(ranks), (1, 1), 3 * u64::from(n), variant, &[forward]);
                        go(&Setting { lose_election: Losses::given([lost]), ..setting })
                    });
                    hung += u32::from(stamp.tokens_at_end == 0);
                    assert_eq!(retry.tokens_at_end, 1, "{ranks:?} {forward} {lost}");
                    assert_eq!(retry.election_losses, 1);
                }
            }
        });
    }
    assert!(hung > 100, "{hung}");
}

/// Shares of time with no token, one, and more, at random delays. The values to compare with are means
/// of 6 runs rounded to 0.01, ours of 12; a difference of six standard errors of such a difference and
/// the rounding has a probability below 1e-6 even with so few runs.
#[test]
fn shares_of_time_are_as_simulated_elsewhere() {
    const RUNS: u64 = 12;
    let expected = [
        (10, Variant::Lecture, [0.00, 0.07, 0.93]),
        (10, Variant::Fixed, [0.01, 0.38, 0.61]),
        (10, Variant::Stamp, [0.04, 0.95, 0.01]),
        (11, Variant::Lecture, [0.01, 0.30, 0.69]),
        (11, Variant::Fixed, [0.04, 0.90, 0.06]),
        (11, Variant::Stamp, [0.04, 0.96, 0.00]),
        (12, Variant::Lecture, [0.05, 0.93, 0.03]),
        (12, Variant::Fixed, [0.05, 0.95, 0.00]),
        (13, Variant::Lecture, [0.05, 0.95, 0.00]),
        (20, Variant::Stamp, [0.07, 0.93, 0.00]),
    ];
    for (tenths, variant, shares) in expected {
        let hop = Hop {
            delay: Span::Drawn(Delay::Uniform(0.5, 1.5)),
            hold: "0.2".parse().expect("a time"),
        };
        let rotation = hop.rotation(16);
        assert_eq!(rotation.to_string(), "19.2");
        let timer = Moment::billionths(rotation.as_billionths() / 10 * tenths);
        let key = Key::new(1, "token-ring", 16, "random", "dense");
        let mut measured = [const { Vec::new() }; 3];
        for number in 0..RUNS {
            let mut ids: Vec<Id> = (1..=16).collect();
            key.stream(number, Purpose::Ring).shuffle(&mut ids);
            let setting = Setting {
                lose: Losses::by_chance(0.002),
                until: rotation.times(1500),
                ..Setting::new(ids, hop, timer, variant)
            };
            let outcome = run(&setting, &key, number, &NEVER, &mut |_, _, _| {}).expect("good");
            for (of, time) in measured.iter_mut().zip(outcome.time_with) {
                of.push(time.as_f64() / setting.until.as_f64());
            }
        }
        for (of, share) in measured.iter().zip(shares) {
            let runs = RUNS as f64;
            let mean = of.iter().sum::<f64>() / runs;
            let variance = of.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (runs - 1.0);
            let error = (variance / runs + variance / 6.0).sqrt();
            assert!(
                (mean - share).abs() <= 6.0 * error + 0.0051,
                "{variant} {tenths}: {mean} not {share}, error {error}"
            );
        }
    }
}

#[test]
fn programs_read_the_example_of_six() {
    let output = hustings(
        "token-ring --ids 1,2,3,4,5,6 --delay 1 --hold 3 --timer 30 --variant lecture --lose 9 \
         --until 480 --json",
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["election_messages"], 17);
    assert_eq!(json["elected"], serde_json::json!([[53, 5], [59, 5]]));
    assert_eq!(json["expiries"], serde_json::json!([[45, 3], [53, 5], [57, 0], [61, 1], [65, 2]]));
    for (key, value) in
        [("token_messages", 221), ("spurious", 4), ("max_tokens", 2), ("tokens_at_end", 2)]
    {
        assert_eq!(json[key], value, "{key}");
    }
    assert_eq!(json["prediction"]["second_token"], true);
}

#[test]
fn people_read_a_timeline_beside_the_formulas() {
    let ring = "token-ring --ids 0,4,2,6,1,5,3,7 --timer 20 --variant fixed --lose 9";
    let text = String::from_utf8(hustings(ring).stdout).expect("text");
    for words in [
        "        17     0       0  passes the token on, forward 9: lost\n",
        "        23     1       4  its timer runs out; calls an election\n",
        "        37     7       7  is elected and makes a new token\n",
        "T - (n-1)(delay+hold) = 6 until its timer; measured 6\n",
        "+ (n+D) delay = 20 until a token; measured 20\n",
        "n + D = 14 messages; measured 14\n",
        "  verdict     agrees\n",
    ] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn bad_rings_are_refused_by_name() {
    for (arguments, words) in [
        ("", "n = (nothing)"),
        ("--n 0", "n = 0"),
        ("--ids 1,1", "ids = "),
        ("--n 4 --delay 0 --hold 0", "delay = 0"),
        ("--n 4 --delay lifo", "delay = lifo"),
        ("--n 4 --hold x", "hold = x"),
        ("--n 4 --timer 1,2", "timer = 1,2"),
        ("--n 4 --variant fixd", "did you mean fixed?"),
        ("--n 4 --loss 200%", "loss = 200%"),
        ("--n 4 --lose 0", "lose = 0"),
        ("--n 4 --until 1e9", "until = 1e9"),
        ("--n 4 --timer 1 --delay 0.000001 --hold 0 --until 1000000000", "until = 1000000000"),
    ] {
        let output = hustings(&format!("token-ring {arguments}"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert!(errors.starts_with("error: ") && errors.contains(words), "{arguments}: {errors}");
        assert_eq!(output.stdout, b"");
    }
}

/// The tables and the figure of a batch.
fn bytes(folder: &std::path::Path) -> Vec<Vec<u8>> {
    let read = |name| std::fs::read(folder.join(name)).expect(name);
    ["spec.toml", "runs.csv", "kinds.csv", "figure.svg"].map(read).into()
}

#[test]
fn threads_and_kills_change_no_byte_of_a_batch() {
    let place = tempfile::tempdir().expect("a folder");
    let line = |folder: &str, threads: u32| {
        let folder = place.path().join(folder);
        format!(
            "token-ring --n 16 --delay uniform:0.5..1.5 --hold 0.2 --loss 0.5% --timer 1rho,2rho \
             --variant lecture,stamp --until 200rho --runs 60 --seed 3 --threads {threads} --quiet \
             --out {0} --figure {0}/figure.svg",
            folder.display()
        )
    };
    let reference = hustings(&line("one", 1));
    assert_eq!(reference.status.code(), Some(0), "{reference:?}");
    let expected = bytes(&place.path().join("one"));
    assert_eq!(expected[1].iter().filter(|&&byte| byte == b'\n').count(), 241);
    assert_eq!(hustings(&line("two", 2)).stdout, reference.stdout);
    assert_eq!(bytes(&place.path().join("two")), expected);

    let parts = place.path().join("killed/parts");
    let mut killed = std::process::Command::new(env!("CARGO_BIN_EXE_hustings"))
        .args(line("killed", 1).split_whitespace())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("started");
    // Some of its parts are there.
    let written = || parts.read_dir().map_or(0, |parts| parts.count());
    while written() < 8 && killed.try_wait().expect("a child").is_none() {
        std::thread::yield_now();
    }
    killed.kill().expect("killed");
    killed.wait().expect("a child");
    assert!(!place.path().join("killed/manifest.json").exists(), "it was too fast to be killed");
    assert_eq!(hustings(&line("killed", 2)).stdout, reference.stdout);
    assert_eq!(bytes(&place.path().join("killed")), expected);

    // What is complete is not done again, another experiment is refused.
    assert_eq!(hustings(&line("one", 2)).stdout, reference.stdout);
    let other = hustings(&line("one", 2).replace("--seed 3", "--seed 4"));
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("the results of seed 3"));
}
