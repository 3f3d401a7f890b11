//! The test vectors that the clients of all languages share, `clients/vectors/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use prost::Message;
use serde_json::Value;

use crate::cards::{self, Card};
use crate::deals::{self, FairDecks, MatchSeeds, Opening, SeatSeed};
use crate::follower::{Follower, Outcome};
use crate::log::{KeyRing, LogError, SignatureKind, TrustedKey, VerifierKey, verify_checkpoint};
use crate::merkle::{self, Hash, ProofError};
use crate::rules::{Game, TableRules, WagerKind};
use crate::tables::Seat;
use crate::{Action, Decision, LegalOptions, v1};

/// A file of vectors. One that is missing or cannot be read fails the test.
fn vectors(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The entries of a list, which is never empty, so that no test passes for want of vectors.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    let entries = value[key].as_array().unwrap_or_else(|| panic!("{key} is a list"));
    assert!(!entries.is_empty(), "{key} has entries");
    entries
}

/// The entries of a list that may be empty.
fn any<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is a text"))
}

fn int(value: &Value, key: &str) -> i64 {
    value[key].as_i64().unwrap_or_else(|| panic!("{key} is a number"))
}

fn flag(value: &Value, key: &str) -> bool {
    value[key].as_bool().unwrap_or_else(|| panic!("{key} is true or false"))
}

/// A number that may be written as text, since some languages' numbers are too short for it.
fn wide(value: &Value, key: &str) -> u64 {
    value[key].as_u64().or_else(|| value[key].as_str()?.parse().ok()).unwrap_or_else(|| panic!("{key} is a number"))
}

fn bytes(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "{text} is hexadecimal");
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal")).collect()
}

fn hash(text: &str) -> Hash {
    Hash::try_from(bytes(text).as_slice()).expect("32 bytes")
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    any(value, key).iter().map(|one| one.as_str().expect("a text").to_owned()).collect()
}

fn cards_at(value: &Value, key: &str) -> Vec<Card> {
    cards::parse_cards(&texts(value, key)).expect("cards")
}

// --- cards -----------------------------------------------------------------------------------------------

#[test]
fn cards_are_read_and_written() {
    let file = vectors("cards.json");
    assert_eq!(list(&file, "cards").len(), cards::DECK_SIZE);
    for one in list(&file, "cards") {
        let card = cards::parse_card(text(one, "text")).expect("a card");
        assert_eq!(cards::card_text(card), text(one, "text"));
        let told = (i64::from(card), i64::from(cards::rank(card)), i64::from(cards::suit(card)));
        assert_eq!(told, (int(one, "card"), int(one, "rank"), int(one, "suit")));
    }
    assert_eq!(cards::parse_card(text(&file["unknown"], "text")), Ok(cards::UNKNOWN));
    for bad in list(&file, "bad") {
        assert!(cards::parse_card(bad.as_str().expect("a text")).is_err(), "{bad}");
    }
    for row in list(&file, "rows") {
        let read = cards::parse_row(text(row, "text")).expect("cards");
        assert_eq!(read.iter().map(|&card| Value::from(card)).collect::<Vec<_>>(), any(row, "cards"));
        assert_eq!(cards::cards_text(&read), text(row, "written"));
    }
    for bad in list(&file, "bad_rows") {
        assert!(cards::parse_row(bad.as_str().expect("a text")).is_err(), "{bad}");
    }
}

// --- messages --------------------------------------------------------------------------------------------

fn written_again(type_name: &str, encoded: &[u8]) -> Vec<u8> {
    match type_name {
        "referee.v1.PlayRequest" => v1::PlayRequest::decode(encoded).expect("a message").encode_to_vec(),
        "referee.v1.PlayResponse" => v1::PlayResponse::decode(encoded).expect("a message").encode_to_vec(),
        "referee.v1.GetServerInfoResponse" => {
            v1::GetServerInfoResponse::decode(encoded).expect("a message").encode_to_vec()
        }
        other => panic!("messages of type {other} are not tested"),
    }
}

#[test]
fn messages_are_read_and_what_is_known_of_them_is_written_again() {
    for message in list(&vectors("messages.json"), "messages") {
        let again = written_again(text(message, "type"), &bytes(text(message, "bytes")));
        assert_eq!(merkle::hex(&again), text(message, "known"), "{}", message["name"]);
    }
}

// --- decisions -------------------------------------------------------------------------------------------

fn legal_of(value: &Value) -> LegalOptions {
    let wager = match text(value, "wager") {
        "RAISE" => WagerKind::Raise,
        "BET" => WagerKind::Bet,
        _ => WagerKind::Unspecified,
    };
    let message = v1::LegalOptions {
        seat: int(value, "seat") as i32,
        decision_id: int(value, "decision_id") as i32,
        can_fold: flag(value, "can_fold"),
        can_check: flag(value, "can_check"),
        amount_to_call: int(value, "amount_to_call"),
        wager: wager.into(),
        min_raise_to: int(value, "min_raise_to"),
        max_raise_to: int(value, "max_raise_to"),
        raise_step: int(value, "raise_step"),
        cards_to_discard: int(value, "cards_to_discard") as i32,
        held_cards: texts(value, "held_cards"),
    };
    LegalOptions::of(&message).expect("legal options")
}

/// A decision of which only legal options, level and pot are known.
fn decision_of(value: &Value) -> Decision {
    Decision {
        table_id: String::new(),
        match_name: String::new(),
        hand_id: String::new(),
        hand_number: 1,
        seat: 1,
        rules: TableRules {
            rule_set: String::new(),
            game: Game {
                hole_cards: 4,
                discards: 2,
                discard_point: v1::DiscardPoint::AfterFlopBetting,
                discard_visibility: v1::DiscardVisibility::Hidden,
            },
            structure: v1::BettingStructure::NoLimit,
            stakes: v1::Stakes::default(),
        },
        button_seat: 0,
        small_blind_seat: 0,
        big_blind_seat: 0,
        street: 0,
        players: Vec::new(),
        hole: Vec::new(),
        discarded: Vec::new(),
        board: Vec::new(),
        joined: Vec::new(),
        pot: int(value, "pot"),
        level: int(value, "level"),
        legal: legal_of(&value["legal"]),
        remaining_ms: None,
        events: Vec::new(),
        refusal: None,
    }
}

fn action_of(value: &Value) -> Action {
    match text(value, "action") {
        "fold" => Action::Fold,
        "check" => Action::Check,
        "call" => Action::Call,
        "bet" => Action::Bet(int(value, "to")),
        "raise" => Action::Raise(int(value, "to")),
        "discard" => Action::Discard(cards_at(value, "cards")),
        other => panic!("{other} is no action"),
    }
}

type Helper = fn(&Decision) -> Action;
type SizedHelper = fn(&Decision, i64) -> Action;

#[test]
fn every_helper_proposes_what_it_should() {
    for case in list(&vectors("legal.json"), "cases") {
        let (decision, answers) = (decision_of(case), &case["answers"]);
        let plain: [(&str, Helper); 7] = [
            ("fold", Decision::fold),
            ("check", Decision::check),
            ("call", Decision::call),
            ("check_or_fold", Decision::check_or_fold),
            ("check_or_call", Decision::check_or_call),
            ("all_in_or_call", Decision::all_in_or_call),
            ("discard_last", Decision::discard_last),
        ];
        for (name, helper) in plain {
            if !answers[name].is_null() {
                assert_eq!(helper(&decision), action_of(&answers[name]), "{name} of {case}");
            }
        }
        let sized: [(&str, &str, SizedHelper); 3] = [
            ("raise_to", "total", Decision::raise_to),
            ("bet_or_raise", "total", Decision::bet_or_raise),
            ("bet_pot", "percent", Decision::bet_pot),
        ];
        for (name, size, helper) in sized {
            for answer in list(answers, name) {
                assert_eq!(helper(&decision, int(answer, size)), action_of(answer), "{name} {answer} of {case}");
            }
        }
    }
}

#[test]
fn hands_are_seen_as_their_seats_see_them() {
    let now = Instant::now();
    for hand in list(&vectors("views.json"), "hands") {
        let item = |encoded: &str| v1::PlayResponseItem::decode(bytes(encoded).as_slice()).expect("an item");
        let mut by_count: BTreeMap<i64, Vec<&Value>> = BTreeMap::new();
        for decision in any(hand, "decisions") {
            by_count.entry(int(decision, "after_items")).or_default().push(decision);
        }
        let snapshot = item(text(hand, "snapshot"));
        let mut follower = Follower::new(&Seat::known(&snapshot.table_id, "token"), 3);
        follower.receive(&snapshot, now).expect("a snapshot");
        let items = texts(hand, "items");
        for (count, encoded) in (0i64..).zip(items.iter().map(Some).chain([None])) {
            for expected in by_count.remove(&count).unwrap_or_default() {
                let outcomes = follower.receive(&item(text(expected, "item")), now).expect("a decision");
                let [Outcome::Ask(question)] = outcomes.as_slice() else {
                    panic!("one question, not {outcomes:?}");
                };
                assert_view(&question.decision, &expected["view"]);
            }
            if let Some(encoded) = encoded {
                follower.receive(&item(encoded), now).expect("an event");
            }
        }
        assert!(by_count.is_empty(), "every decision was asked");
        let view = follower.view().expect("a hand");
        for after in list(hand, "stacks_after") {
            assert_eq!(view.stack_of(int(after, "seat") as i32), Some(int(after, "stack")));
        }
    }
}

fn assert_view(decision: &Decision, expected: &Value) {
    let seen = (decision.street as i64, decision.pot, decision.level, decision.to_call());
    assert_eq!(seen, (int(expected, "street"), int(expected, "pot"), int(expected, "level"), int(expected, "to_call")));
    assert_eq!(decision.must_discard() as i64, int(expected, "must_discard"));
    assert_eq!(decision.hole, cards_at(expected, "hole"));
    assert_eq!(decision.discarded, cards_at(expected, "discarded"));
    assert_eq!(decision.board, cards_at(expected, "board"));
    assert_eq!(decision.joined, cards_at(expected, "joined"));
    let places = [decision.button_seat, decision.small_blind_seat, decision.big_blind_seat].map(i64::from);
    assert_eq!(places, ["button_seat", "small_blind_seat", "big_blind_seat"].map(|key| int(expected, key)));
    assert_eq!(decision.acts_last(), flag(expected, "acts_last"));
    let mut legal = legal_of(&expected["legal"]);
    if legal.max_to == 0 {
        (legal.wager, legal.step) = (WagerKind::Bet, 1);
    }
    assert_eq!(decision.legal, legal);
    assert_eq!(decision.players.len(), list(expected, "players").len());
    for (player, expected) in decision.players.iter().zip(list(expected, "players")) {
        assert_eq!((i64::from(player.seat), player.name.as_str()), (int(expected, "seat"), text(expected, "name")));
        let chips = (player.stack, player.bet, player.put_in);
        assert_eq!(chips, (int(expected, "stack"), int(expected, "bet"), int(expected, "put_in")));
        let flags = (player.live, player.all_in, player.discarded);
        assert_eq!(flags, (flag(expected, "live"), flag(expected, "all_in"), flag(expected, "discarded")));
        assert_eq!(player.shown, cards_at(expected, "shown"));
    }
}

// --- deals -----------------------------------------------------------------------------------------------

#[test]
fn decks_follow_from_the_seeds() {
    let file = vectors("deals.json");
    assert_eq!(text(&file, "derivation"), deals::DERIVATION);
    for one in list(&file, "matches") {
        let name = text(one, "match");
        let referee_seed = bytes(text(&one["referee"], "seed"));
        let commitment = deals::commit_referee(name, &referee_seed).expect("a commitment");
        assert_eq!(merkle::hex(&commitment), text(&one["referee"], "commitment"));
        let seat = |seat: &Value| SeatSeed {
            seat: int(seat, "seat") as i32,
            commitment: bytes(text(seat, "commitment")),
            seed: bytes(text(seat, "seed")),
        };
        let seats: Vec<SeatSeed> = list(one, "seats").iter().map(seat).collect();
        for (seat, expected) in seats.iter().zip(list(one, "seats")) {
            assert_eq!(merkle::hex(seat.counted()), text(expected, "counted"));
            if !seat.seed.is_empty() {
                let made = deals::commit_seat(name, seat.seat, &seat.seed, &commitment).expect("a commitment");
                assert_eq!(made.as_slice(), seat.commitment);
            }
        }
        let numbers: Vec<i32> = seats.iter().map(|seat| seat.seat).collect();
        let seeds = MatchSeeds { match_name: name.to_owned(), referee_seed, seats };
        assert_eq!(seeds.check(&commitment), Ok(()));
        let match_seed = seeds.match_seed().expect("a match seed");
        assert_eq!(merkle::hex(&match_seed), text(one, "match_seed"));
        let decks = FairDecks::new(name, &match_seed, cards::DECK_SIZE).expect("decks");
        assert_eq!(decks.first_button(&numbers).map(i64::from), Ok(int(one, "first_button")));
        for deal in list(one, "deals") {
            assert_deal(name, &match_seed, deal);
        }
    }
}

fn assert_deal(name: &str, match_seed: &Hash, deal: &Value) {
    let items = wide(deal, "items") as usize;
    let decks = FairDecks::new(name, match_seed, items).expect("decks");
    let committed = decks.committed(wide(deal, "block"), wide(deal, "hand"), wide(deal, "redeal")).expect("a deck");
    let expected: Vec<usize> = list(deal, "deck").iter().map(|item| item.as_u64().expect("an item") as usize).collect();
    assert_eq!(committed.deck, expected);
    assert_eq!(decks.deck(wide(deal, "block"), wide(deal, "hand"), wide(deal, "redeal")), Ok(expected));
    assert_eq!(merkle::hex(committed.salts.as_flattened()), text(deal, "salts"));
    assert_eq!(merkle::hex(&committed.root), text(deal, "root"));
    for expected in list(deal, "openings") {
        let opening = Opening {
            position: wide(expected, "position") as usize,
            item: wide(expected, "item") as usize,
            salt: bytes(text(expected, "salt")),
            path: texts(expected, "path").iter().map(|one| hash(one)).collect(),
        };
        assert_eq!(committed.open(opening.position).as_ref(), Some(&opening));
        assert_eq!(deals::verify_opening(&committed.deal, &committed.root, &opening), Ok(()));
        let other = Opening { item: (opening.item + 1) % items, ..opening };
        assert!(deals::verify_opening(&committed.deal, &committed.root, &other).is_err());
    }
}

#[test]
fn decks_of_tiles_follow_from_the_seeds_too() {
    let tiles: Vec<String> = (0..7).flat_map(|low| (low..7).map(move |high| format!("{high}-{low}"))).collect();
    for one in list(&vectors("kozel_deals.json"), "matches") {
        let decks = FairDecks::new(text(one, "match"), &hash(text(one, "match_seed")), tiles.len()).expect("decks");
        for round in list(one, "rounds") {
            for (redeal, (deck, root)) in (0..).zip(list(round, "decks").iter().zip(list(round, "roots"))) {
                let made = decks.committed(wide(round, "block"), wide(round, "hand"), redeal).expect("a deck");
                let told: Vec<&str> = made.deck.iter().map(|&item| tiles[item].as_str()).collect();
                assert_eq!(told.join(" "), deck.as_str().expect("a deck"));
                assert_eq!(merkle::hex(&made.root), root.as_str().expect("a root"));
            }
        }
    }
}

// --- proofs ----------------------------------------------------------------------------------------------

/// What came of a check of a proof, as the vectors name it; what cannot be hashes at all has a wrong shape too.
fn fault_of(checked: Result<(), ProofError>) -> &'static str {
    match checked {
        Ok(()) => "",
        Err(ProofError::Shape(_)) => "SHAPE",
        Err(ProofError::Mismatch(_)) => "MISMATCH",
    }
}

fn hashes(value: &Value, key: &str) -> Result<Vec<Hash>, ProofError> {
    merkle::hashes_of(&texts(value, key).iter().map(|one| bytes(one)).collect::<Vec<_>>())
}

fn one_hash(value: &Value, key: &str) -> Result<Hash, ProofError> {
    Ok(merkle::hashes_of(&[bytes(text(value, key))])?[0])
}

#[test]
fn trees_are_hashed_and_proofs_checked() {
    let file = vectors("merkle.json");
    assert_eq!(merkle::hex(&merkle::empty_root()), text(&file, "empty_root"));
    let leaves: Vec<Hash> =
        list(&file, "leaves").iter().map(|leaf| merkle::leaf_hash(&bytes(text(leaf, "data")))).collect();
    for (leaf, expected) in leaves.iter().zip(list(&file, "leaves")) {
        assert_eq!(merkle::hex(leaf), text(expected, "hash"));
    }
    for node in list(&file, "nodes") {
        let made = merkle::node_hash(&hash(text(node, "left")), &hash(text(node, "right")));
        assert_eq!(merkle::hex(&made), text(node, "hash"));
    }
    for root in list(&file, "roots") {
        assert_eq!(merkle::hex(&merkle::root_of(&leaves[..wide(root, "size") as usize])), text(root, "root"));
    }
    for one in list(&file, "inclusion") {
        let check = || {
            let (leaf, root) = (one_hash(one, "leaf_hash")?, one_hash(one, "root")?);
            merkle::verify_inclusion(&leaf, wide(one, "index"), wide(one, "size"), &hashes(one, "proof")?, &root)
        };
        assert_eq!(fault_of(check()), text(one, "fault"), "{}", one["name"]);
    }
    for one in list(&file, "consistency") {
        let check = || {
            let (old_root, root) = (one_hash(one, "old_root")?, one_hash(one, "root")?);
            let proof = hashes(one, "proof")?;
            merkle::verify_consistency(wide(one, "old_size"), &old_root, wide(one, "size"), &root, &proof)
        };
        assert_eq!(fault_of(check()), text(one, "fault"), "{}", one["name"]);
    }
}

// --- heads of the log ------------------------------------------------------------------------------------

#[test]
fn keys_are_read_and_written() {
    let file = vectors("checkpoints.json");
    for expected in list(&file, "keys") {
        let key = VerifierKey::parse(text(expected, "text")).expect("a key");
        assert_eq!(key.text(), text(expected, "text"));
        assert_eq!(key.name, text(expected, "name"));
        assert_eq!(key.kind as i64, int(expected, "type"));
        assert_eq!(merkle::hex(&key.public), text(expected, "public"));
        assert_eq!(merkle::hex(&key.key_id()), text(expected, "key_id"));
    }
    for bad in list(&file, "bad_keys") {
        let read = VerifierKey::parse(text(bad, "text"));
        assert!(matches!(read, Err(LogError::KeyFormat(_))), "{}: {read:?}", bad["name"]);
    }
}

#[test]
fn signed_heads_are_believed_only_as_signed() {
    let file = vectors("checkpoints.json");
    let trusted = &file["trusted"];
    let keys = |key: &str| -> Vec<TrustedKey> {
        let read = |one: &String| TrustedKey::always(VerifierKey::parse(one).expect("a key"));
        texts(trusted, key).iter().map(read).collect()
    };
    let alone = KeyRing::new(text(trusted, "origin"), keys("log_keys"), Vec::new()).expect("a ring");
    let ring = KeyRing::new(text(trusted, "origin"), keys("log_keys"), keys("witness_keys")).expect("a ring");
    assert!(ring.witnesses.iter().all(|witness| witness.key.kind == SignatureKind::Cosignature));
    let fault = |note: &[u8], ring: &KeyRing| match verify_checkpoint(note, ring, 0, 0) {
        Ok(_) => "",
        Err(LogError::NoteFormat { .. }) => "FORMAT",
        Err(LogError::Signature(_)) => "SIGNATURE",
        Err(LogError::Untrusted(_)) => "UNTRUSTED",
        Err(other) => panic!("{other}"),
    };
    for expected in list(&file, "notes") {
        let note = bytes(text(expected, "note"));
        assert_eq!(fault(&note, &ring), text(expected, "fault"), "{}", expected["name"]);
        assert_eq!(fault(&note, &alone), text(expected, "fault_by_log_alone"), "{}", expected["name"]);
        let Ok(verified) = verify_checkpoint(&note, &ring, 0, 0) else { continue };
        assert_eq!(verified.checkpoint.size, wide(expected, "size"));
        assert_eq!(merkle::hex(&verified.checkpoint.root), text(expected, "root"));
        let witnesses = texts(expected, "witnesses");
        assert_eq!(verified.witnesses().into_iter().collect::<Vec<_>>(), witnesses);
        let quorum = witnesses.len() + 1;
        assert!(matches!(verify_checkpoint(&note, &ring, 0, quorum), Err(LogError::Quorum(_))));
    }
}
