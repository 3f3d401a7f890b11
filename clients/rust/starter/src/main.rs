//! A bot of one's own: change `decide`. `cargo run -- --table TABLE` plays.

use std::process::ExitCode;

use referee_client::cards::rank;
use referee_client::{Action, Decision, program};

/// Answers one decision; `Decision` has all that the seat may know, and helpers that build only legal actions.
fn decide(decision: &Decision) -> Action {
    if decision.must_discard() > 0 {
        return keep_the_highest(decision);
    }
    let matches = decision.hole.iter().filter(|&&card| decision.board.iter().any(|&other| rank(other) == rank(card)));
    if matches.count() >= 2 {
        return decision.bet_pot(75);
    }
    if decision.to_call() <= decision.big_blind() { decision.check_or_call() } else { decision.check_or_fold() }
}

fn keep_the_highest(decision: &Decision) -> Action {
    let mut held = decision.legal.held.clone();
    held.sort_by_key(|&card| rank(card));
    decision.discard(&held[..decision.must_discard()])
}

fn main() -> ExitCode {
    program::main(|_arguments| Ok(decide as fn(&Decision) -> Action))
}
