//! The strategy `conformance`: the match is called `conformance.WISH` or `conformance.WISH.N`, and the wish is done.

use referee_client::{Action, Decision};

use crate::plain;

const WISHES_OF: &str = "conformance.";

/// Answers a decision as the match's name wishes; any other match is played `plain`.
pub fn decide(decision: &Decision) -> Action {
    let Some(wishes) = decision.match_name.strip_prefix(WISHES_OF) else {
        return plain::decide(decision);
    };
    let wish = wishes.split('.').next().unwrap_or_default();
    let (legal, is_refused) = (&decision.legal, decision.refusal.is_some());
    let owed = decision.must_discard();
    if owed > 0 {
        let is_wrong = wish == "wrong-discard" && !is_refused;
        let count = if !is_wrong {
            owed
        } else if owed > 1 {
            owed - 1
        } else {
            owed + 1
        };
        return decision.discard(&legal.held[..count.min(legal.held.len())]);
    }
    match wish {
        "check-or-fold" => decision.check_or_fold(),
        "min-raise" => decision.bet_or_raise(legal.min_to),
        "max-raise" => decision.bet_or_raise(legal.max_to),
        "all-in" => decision.all_in_or_call(),
        "bet-pot" => decision.bet_pot(100),
        "refused-first" if !is_refused => decision.raise_to(decision.stack() + decision.level + 1),
        _ => decision.check_or_call(),
    }
}

#[cfg(test)]
mod tests {
    use referee_client::cards::parse_row;
    use referee_client::{LegalOptions, Refusal, v1};

    use super::*;
    use crate::testing::decision_of;

    fn betting(wish: &str, max_to: i64) -> Decision {
        let legal = LegalOptions {
            seat: 1,
            decision_id: 1,
            fold: true,
            check: false,
            call: 10,
            wager: v1::WagerKind::Raise,
            min_to: if max_to == 0 { 0 } else { 20 },
            max_to,
            step: 1,
            discard: 0,
            held: Vec::new(),
        };
        Decision { match_name: format!("conformance.{wish}"), ..decision_of(legal) }
    }

    fn discarding(wish: &str, count: usize) -> Decision {
        let held = parse_row("2c 3d 4h 5s").expect("cards");
        let mut decision = betting(wish, 0);
        (decision.legal.discard, decision.legal.held) = (count, held);
        decision
    }

    fn refused(mut decision: Decision) -> Decision {
        decision.refusal = Some(Refusal { reason: None, rule: String::new(), message: String::new(), legal: None });
        decision
    }

    #[test]
    fn every_wish_is_done() {
        for (wish, expected) in [
            ("check-or-call", Action::Call),
            ("check-or-fold", Action::Fold),
            ("min-raise", Action::Raise(20)),
            ("max-raise", Action::Raise(500)),
            ("all-in", Action::Raise(500)),
            ("bet-pot", Action::Raise(35)),
            ("bet-pot.7", Action::Raise(35)),
            ("wrong-discard", Action::Call),
            ("refused-first", Action::Raise(1011)),
            ("what", Action::Call),
        ] {
            assert_eq!(decide(&betting(wish, 500)), expected, "{wish}");
        }
        for wish in ["min-raise", "max-raise", "all-in", "bet-pot"] {
            assert_eq!(decide(&betting(wish, 0)), Action::Call, "{wish}");
        }
        assert_eq!(decide(&refused(betting("refused-first", 500))), Action::Call);
    }

    #[test]
    fn the_first_cards_are_discarded_and_wrongly_where_that_is_wished() {
        let count = |decision: &Decision| match decide(decision) {
            Action::Discard(cards) => {
                assert!(decision.legal.held.starts_with(&cards));
                cards.len()
            }
            other => panic!("a discard, not {other:?}"),
        };
        assert_eq!(count(&discarding("check-or-call", 2)), 2);
        assert_eq!(count(&discarding("wrong-discard", 2)), 1);
        assert_eq!(count(&discarding("wrong-discard", 1)), 2);
        assert_eq!(count(&refused(discarding("wrong-discard", 2))), 2);
    }

    #[test]
    fn any_other_match_is_played_plain() {
        for name in ["spring", "conformance", "xconformance.all-in"] {
            let decision = Decision { match_name: name.into(), ..betting("", 500) };
            assert_eq!(decide(&decision), plain::decide(&decision), "{name}");
        }
    }
}
