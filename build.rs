//! Tells the program which commit it was built from.
//!
//! Only where it is built for use: in a build for tests every commit would compile everything anew.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=HUSTINGS_COMMIT");
    let told = std::env::var("HUSTINGS_COMMIT").ok();
    let for_use = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = told.or_else(|| for_use.then(|| packaged().or_else(checked_out)).flatten());
    let version = env!("CARGO_PKG_VERSION");
    match commit {
        Some(commit) => {
            println!("cargo::rustc-env=HUSTINGS_COMMIT={commit}");
            println!("cargo::rustc-env=HUSTINGS_VERSION={version} ({commit})");
        }
        None => println!("cargo::rustc-env=HUSTINGS_VERSION={version}"),
    }
}

/// The commit that cargo wrote into a package.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    Some(rest.split_once('"')?.0.get(..12)?.to_owned())
}

/// The commit of this clone; `-changed` follows if the sources are not what was committed.
fn checked_out() -> Option<String> {
    // A clone of something else may lie around a folder that is none.
    if !Path::new(".git").exists() {
        return None;
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    for name in ["HEAD", "index"] {
        println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", name])?);
    }
    for sources in ["src", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={sources}");
    }
    let changes = git(&["status", "--porcelain", "--", "src", "Cargo.toml", "Cargo.lock"])?;
    Some(if changes.is_empty() { commit } else { format!("{commit}-changed") })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
