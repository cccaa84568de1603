//! Commands that the program prints, typed in again: they repeat the run and do nothing else.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use super::judge::Fault;
use super::scene::{Attack, Ended, PROGRAM, Scene, Wiring, kept};

/// Where the program has its own name, and a cluster is whoever carries out its script.
fn programs() -> &'static Path {
    static PROGRAMS: OnceLock<PathBuf> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let path = kept("programs");
        _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("made");
        std::os::unix::fs::symlink(PROGRAM, path.join("hustings")).expect("linked");
        let sbatch = path.join("sbatch");
        std::fs::write(&sbatch, "#!/bin/sh\nbash -s >/dev/null 2>&1\necho 1\n").expect("written");
        std::fs::set_permissions(&sbatch, PermissionsExt::from_mode(0o755)).expect("allowed");
        path
    })
}

fn typed(shell: &str, text: &str, scene: &Scene) -> Output {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut paths = vec![programs().to_owned()];
    paths.extend(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).expect("a path");
    let mut command = Command::new(shell);
    command.args(["-c", text]).current_dir(scene.work()).stdin(Stdio::null());
    command.env("PATH", path).output().expect("a shell")
}

/// What is wrong with the commands that were printed.
pub fn faults(attack: &Attack, ended: &Ended, scene: &Scene) -> Vec<Fault> {
    let plain = attack.wiring == Wiring::Plain && ended.code == Some(0) && !attack.has("--help");
    let out = String::from_utf8_lossy(&ended.out);
    let mut faults = Vec::new();
    match attack.verb() {
        "elect" if plain => {
            // It is the last thing that is said.
            let Some((_, again)) = out.split_once("\n  again      ") else { return faults };
            for shell in ["sh", "bash"] {
                let repeated = typed(shell, again, scene);
                if repeated.stdout != ended.out {
                    let told = String::from_utf8_lossy(&repeated.stderr);
                    let told =
                        format!("{shell}: {}: {}", again.escape_debug(), told.escape_debug());
                    faults.push(("a command that does not repeat the run", told));
                }
            }
        }
        "slurm" if plain && attack.has("2") => {
            let submitted = typed("bash", &out, scene);
            let told = String::from_utf8_lossy(&submitted.stderr);
            // A name may be so long that one beside it would be too long.
            if !submitted.status.success() && !told.contains("too long") {
                faults.push(("a script that fails", told.escape_debug().to_string()));
            }
        }
        _ => {}
    }
    let carried_out = ["work/PWNED", "PWNED", "work/named/PWNED"];
    for path in carried_out.iter().map(|path| scene.path().join(path)).filter(|path| path.exists())
    {
        std::fs::remove_file(&path).expect("removed");
        faults.push(("a name that was carried out", out.escape_debug().to_string()));
    }
    faults
}
