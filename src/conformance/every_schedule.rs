//! Every schedule of a small election, within a budget.

use super::subject::{SHOWN, Subject};
use super::trial::{Problem, Trial};
use crate::engine::Entry;
use crate::engine::explore::{Ended, Explore, Wrong};
use crate::engine::trace::{Stage, Step};
use crate::experiment::timing::Timing;
use crate::model::delay::Delay;

/// Up to so many states are visited for one election.
const MOST_STATES: u64 = 1 << 15;

/// Without FIFO links there are far more schedules, so networks are smaller.
const LARGEST_WITHOUT_FIFO: u32 = 3;

/// What a schedule may do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    fifo: bool,
    staggered: bool,
}

impl Way {
    /// The ways that the algorithm claims to cope with, the simplest first.
    pub(super) fn all(entry: &Entry, trial: &Trial) -> Vec<Way> {
        let mut ways = vec![Way { fifo: true, staggered: false }];
        if !entry.model.needs_all {
            ways.push(Way { fifo: true, staggered: true });
        }
        if !entry.model.needs_fifo && trial.n() <= LARGEST_WITHOUT_FIFO {
            let without = |way: &Way| Way { fifo: false, ..*way };
            ways.extend(ways.iter().map(without).collect::<Vec<_>>());
        }
        ways
    }

    /// The trial with a timing that allows as much.
    pub(super) fn of(self, trial: Trial) -> Trial {
        let timing = Timing { delay: Some(Delay::Lifo), fifo: self.fifo };
        Trial { timing, ..trial }
    }

    /// Tries every schedule; whether all were tried, or what is wrong, and the schedule that shows it.
    pub(super) fn explore(
        self,
        subject: &mut Subject,
        trial: &Trial,
    ) -> Result<bool, Box<(Problem, Vec<Step>)>> {
        let Way { fifo, staggered } = self;
        let trial = self.of(trial.clone());
        let explored = subject.election(&trial, |entry, graph, election, _| {
            let asked = Explore::new(entry, graph, election);
            let (reduced, announcements, most_states) = (true, true, MOST_STATES);
            Explore { fifo, staggered, reduced, announcements, most_states, ..asked }.run(&|_| {})
        });
        match explored {
            Ok(Ok(explored)) => {
                // Bounds are about those who start, and here some may be woken instead.
                for extreme in [explored.min, explored.max].into_iter().filter(|_| !staggered) {
                    let checked = subject.check(&trial, extreme.messages);
                    checked.map_err(|problem| Box::new((problem, extreme.schedule)))?;
                }
                Ok(true)
            }
            Ok(Err(Ended::Fault(fault))) => {
                let problem = match fault.wrong {
                    Wrong::Violation(violation) => Problem::Violation(violation),
                    Wrong::Panic(text) => Problem::Panic(text),
                    wrong => Problem::Expected(wrong.to_string()),
                };
                Err(Box::new((problem, fault.schedule)))
            }
            Ok(Err(_)) => Ok(false),
            Err(error) => Err(Box::new((Problem::Expected(error.to_string()), Vec::new()))),
        }
    }

    /// The command that finds it again.
    pub(super) fn command(self, subject: &Subject, trial: &Trial) -> String {
        let entry = &subject.entry;
        let ids: Vec<String> = trial.ids.iter().map(u64::to_string).collect();
        let mut command = String::new();
        if let Some(write) = trial.network.file_command() {
            command += &format!("{write} && ");
        }
        command += &format!("{} exact --schedules --algorithm {}", entry.program(), entry.name);
        if trial.network.as_graph().is_some() {
            command += &format!(" --topology {}", trial.network.topology());
        }
        command += &format!(" --ids {} --initiators {}", ids.join(","), trial.initiators);
        command += if self.staggered { " --staggered" } else { "" };
        command += if self.fifo { "" } else { " --no-fifo" };
        command
    }

    /// The schedule step by step.
    pub(super) fn trace(self, subject: &mut Subject, trial: &Trial, steps: &[Step]) -> Vec<String> {
        let lines = subject.election(trial, |entry, graph, election, _| {
            let mut stage = Stage::new(entry, graph, election);
            let tell = |&step: &Step| match stage.try_follow(step) {
                true => stage.events().last().map(|event| stage.words(event)).unwrap_or_default(),
                false => format!("{}: panics", stage.words_before(step)),
            };
            let mut lines: Vec<String> = steps.iter().take(SHOWN).map(tell).collect();
            if steps.len() > SHOWN {
                lines.push(format!("... and {} steps more", steps.len() - SHOWN));
            }
            lines
        });
        lines.unwrap_or_default()
    }
}
