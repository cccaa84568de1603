//! The built-in experiment: every ring algorithm beside its theorems, and some on trees and graphs,
//! at three scales.

use super::error::Result;
use super::files::Files;
use super::names::Names;
use super::spec::{Draft, Raw, Spec};
use crate::engine::Registry;
use crate::model::escape;

/// How long the experiment may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Seconds.
    Quick,
    /// About half a minute on two cores.
    Usual,
    /// A night.
    Full,
}

impl Scale {
    /// All of them, the smallest first.
    pub const ALL: [Scale; 3] = [Scale::Quick, Scale::Usual, Scale::Full];

    /// The name of its spec and of its folders.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Quick => "reproduce-quick",
            Scale::Usual => "reproduce",
            Scale::Full => "reproduce-full",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Scale::Quick => include_str!("../../data/specs/reproduce-quick.toml"),
            Scale::Usual => include_str!("../../data/specs/reproduce.toml"),
            Scale::Full => include_str!("../../data/specs/reproduce-full.toml"),
        }
    }

    fn command(self) -> &'static str {
        match self {
            Scale::Quick => "hustings reproduce --quick",
            Scale::Usual => "hustings reproduce",
            Scale::Full => "hustings reproduce --full",
        }
    }

    /// Its spec, with another name or seed if they are given.
    pub fn spec(self, registry: &Registry, name: Option<&str>, seed: Option<u64>) -> Result<Spec> {
        let mut flags = Draft::default();
        if let Some(name) = name {
            flags.set("name", Raw::Text(name.to_owned()), None);
        }
        if let Some(seed) = seed {
            flags.set("seed", Raw::Number(seed.to_string()), None);
        }
        let file = format!("data/specs/{}.toml", self.name());
        let names = Names { registry, files: &Files::recorded() };
        Spec::parse_with(self.text(), &file, self.name(), &flags, names)
    }
}

/// The scale of the built-in experiment with this seed and hash; `None` if it is none.
pub fn scale_of(registry: &Registry, seed: u64, hash: &str) -> Option<Scale> {
    let is_it =
        |scale: &Scale| scale.spec(registry, None, Some(seed)).is_ok_and(|it| it.hash() == hash);
    Scale::ALL.into_iter().find(is_it)
}

/// The command that makes the built-in experiment with this name, seed and hash; `None` if it is not
/// one of them.
pub fn command_of(registry: &Registry, name: &str, seed: u64, hash: &str) -> Option<String> {
    let scale = scale_of(registry, seed, hash)?;
    let mut command = scale.command().to_owned();
    if scale.spec(registry, None, None).is_ok_and(|spec| spec.seed != seed) {
        command += &format!(" --seed {seed}");
    }
    if name != scale.name() {
        // A value that begins with a dash would be read as a flag.
        let separator = if name.starts_with('-') { '=' } else { ' ' };
        command += &format!(" --name{separator}{}", escape::shell(name));
    }
    Some(command)
}
