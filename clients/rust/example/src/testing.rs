//! A decision for the tests of the strategies.

use referee_client::rules::{BettingStructure, DiscardPoint, DiscardVisibility, Game, Stakes, TableRules};
use referee_client::{Decision, LegalOptions, PlayerView};

/// A decision of which only the legal options are told; the seat has 1000 chips.
pub fn decision_of(legal: LegalOptions) -> Decision {
    let game = Game {
        hole_cards: 4,
        discards: 2,
        discard_point: DiscardPoint::AfterFlopBetting,
        discard_visibility: DiscardVisibility::Hidden,
    };
    let me = PlayerView {
        seat: legal.seat,
        name: String::new(),
        stack: 1000,
        bet: 0,
        put_in: 0,
        live: true,
        all_in: false,
        discarded: false,
        shown: Vec::new(),
    };
    Decision {
        table_id: "t".into(),
        match_name: String::new(),
        hand_id: "t-1".into(),
        hand_number: 1,
        seat: legal.seat,
        rules: TableRules {
            rule_set: "irish/full-tilt@1".into(),
            game,
            structure: BettingStructure::NoLimit,
            stakes: Stakes { small_blind: 5, big_blind: 10, ..Stakes::default() },
        },
        button_seat: 1,
        small_blind_seat: 1,
        big_blind_seat: 2,
        street: 0,
        players: vec![me],
        hole: legal.held.clone(),
        discarded: Vec::new(),
        board: Vec::new(),
        joined: Vec::new(),
        pot: 15,
        level: 10,
        legal,
        remaining_ms: None,
        events: Vec::new(),
        refusal: None,
    }
}
