//! The example bot: plays `plain`, a simple strategy at Irish, or `conformance`, what the match's name wishes.

mod conformance;
mod plain;
#[cfg(test)]
mod testing;

use std::process::ExitCode;

use referee_client::{Decision, program};

fn main() -> ExitCode {
    program::main(|arguments| match arguments.bot.as_deref() {
        None | Some("plain") => Ok(plain::decide as fn(&Decision) -> _),
        Some("conformance") => Ok(conformance::decide as fn(&Decision) -> _),
        Some(other) => Err(format!("there is no bot {other:?}; there are plain and conformance")),
    })
}
