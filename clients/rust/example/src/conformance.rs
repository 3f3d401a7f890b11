//! The strategy `conformance`: the match is called `conformance.WISH` or `conformance.WISH.N`, and the wish is done.

use referee_client::{Action, Decision};

use crate::plain;

/// Answers a decision as the match's name wishes; any other match is played `plain`.
pub fn decide(decision: &Decision) -> Action {
    let mut parts = decision.match_name.split('.');
    let wish = match (parts.next(), parts.next()) {
        (Some("conformance"), Some(wish)) => wish,
        _ => return plain::decide(decision),
    };
    let is_refused = decision.refusal.is_some();
    let legal = &decision.legal;
    match decision.must_discard() {
        0 => match wish {
            "check-or-call" | "wrong-discard" => decision.check_or_call(),
            "check-or-fold" => decision.check_or_fold(),
            "min-raise" => decision.bet_or_raise(legal.min_to),
            "max-raise" => decision.bet_or_raise(legal.max_to),
            "all-in" => decision.all_in_or_call(),
            "bet-pot" => decision.bet_pot(100),
            "refused-first" if is_refused => decision.check_or_call(),
            "refused-first" if legal.max_to > 0 => decision.raise_to(legal.max_to + decision.stack() + decision.level + 1),
            "refused-first" => decision.raise_to(decision.stack() + decision.level + 1),
            _ => plain::decide(decision),
        },
        count if wish == "wrong-discard" && !is_refused => {
            decision.discard(&legal.held[..if count > 1 { count - 1 } else { count + 1 }])
        }
        count => decision.discard(&legal.held[..count]),
    }
}
