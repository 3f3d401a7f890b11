//! Following one table as one seat: what to ask, what to send again, when it ends. No connection, no waiting here.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::connecting::random_bytes;
use crate::deals::DealCheck;
use crate::decision::{Action, Decision};
use crate::error::{Broken, Error};
use crate::hand_view::HandView;
use crate::merkle::hex;
use crate::rules::{Event, EventKind, LegalOptions, Refusal, TableRules};
use crate::tables::Seat;
use crate::v1;
use crate::v1::StreamEndReason;
use crate::v1::play_response_item::Item as Received;

/// How many gaps of one hand are resumed from the cursor; from then on the hand is begun anew.
const FORGIVEN_GAPS: u32 = 3;

/// How many gaps of one hand end the play: a server that never tells a hand whole cannot be followed.
const MAX_GAPS: u32 = 10;

/// How often a seat that was attached before and now is not allowed tries again from the same cursor.
const PATIENT_DENIALS: u32 = 2;

/// Ends that are final; all others are resumed, those of a newer server too.
const TERMINAL: [StreamEndReason; 5] = [
    StreamEndReason::TableEnded,
    StreamEndReason::Replaced,
    StreamEndReason::Detached,
    StreamEndReason::NotAllowed,
    StreamEndReason::Flooding,
];

/// What a seat's play came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The table.
    pub table_id: String,
    /// The seat; 0 until it is known.
    pub seat: i32,
    /// Hands that ended.
    pub hands: u64,
    /// What the seat won or lost in them, in chips.
    pub net: i64,
    /// Decisions that it was asked.
    pub decisions: u64,
    /// Refused answers.
    pub refusals: u64,
    /// Decisions that were then answered for the bot.
    pub defaults: u64,
    /// How often the table was attached again.
    pub resumed: u64,
    /// Hands whose cards were found to follow from the seeds that were shown at the table's end.
    pub deals_checked: u64,
    /// What was wrong with them, empty when nothing was.
    pub deal_fault: String,
    /// Why it ended, such as `TABLE_ENDED`; empty while it has not.
    pub reason: String,
}

/// What to do about something that was received.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The bot is to be asked.
    Ask(Question),
    /// A proposal is to be sent; nobody is asked.
    Send(v1::Propose),
    /// An answer was refused; the bot is told.
    Refused(Arc<Decision>, Refusal),
    /// A hand is over; the bot is told, and may want to show.
    HandOver(Box<HandView>),
    /// The seat's seed is to be revealed: everybody's commitments are known.
    Reveal(Vec<u8>),
    /// Nothing more comes now; the table is to be attached again later from its cursor.
    Interrupted(i32),
    /// Nothing more comes.
    Ended,
}

/// A decision to be answered, and which asking it is: an answer to an earlier one is not wanted any more.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub asking: u64,
    pub decision: Arc<Decision>,
}

/// Why a stream cannot be read on.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something was missed: the table is to be attached again from its cursor.
    Gap(String),
    /// No further attempt would mend it.
    Fatal(Error),
}

impl From<Broken> for Stop {
    fn from(broken: Broken) -> Self {
        Stop::Fatal(broken.into())
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Fatal(error)
    }
}

/// The decision that is open.
struct Open {
    hand_id: String,
    legal: LegalOptions,
    until: Option<Instant>,
    refusals: u32,
    refusal: Option<Refusal>,
    asked: Option<Question>,
    /// An answer that the referee has not acknowledged.
    propose: Option<v1::Propose>,
    defaulted: bool,
}

/// One seat at one table, from its first message to its last.
pub(crate) struct Follower {
    pub table_id: String,
    pub seat_token: String,
    pub played: Played,
    /// Nothing more comes.
    pub over: bool,
    /// How many snapshots were received.
    pub snapshots: u64,
    /// How many events were received, without what is told again.
    pub events: u64,
    view: Option<HandView>,
    max_refusals: u32,
    request_ids: RequestIds,
    cursor: Option<(i64, i64)>,
    seed: Vec<u8>,
    deals: DealCheck,
    rules: Option<TableRules>,
    match_name: String,
    names: BTreeMap<i32, String>,
    open: Option<Open>,
    askings: u64,
    is_attached: bool,
    gaps: u32,
    denials: u32,
    last_over: i64,
}

impl Follower {
    pub fn new(seat: &Seat, max_refusals: u32) -> Self {
        Self {
            table_id: seat.table_id.clone(),
            seat_token: seat.seat_token.clone(),
            played: Played { table_id: seat.table_id.clone(), ..Played::default() },
            over: false,
            snapshots: 0,
            events: 0,
            view: None,
            max_refusals,
            request_ids: RequestIds::fresh(),
            cursor: seat.hand.map(|hand| (hand, 0)),
            seed: seat.seed.clone(),
            deals: DealCheck::new(&seat.seed),
            rules: None,
            match_name: String::new(),
            names: BTreeMap::new(),
            open: None,
            askings: 0,
            is_attached: false,
            gaps: 0,
            denials: 0,
            last_over: 0,
        }
    }

    // --- attaching ---------------------------------------------------------------------------------------

    /// Notes that the table could not be attached, and says whether to try again.
    ///
    /// A seat that was attached before may find its server stopping, or its cursor too far back: it tries again as it
    /// is, then from the hand under way, and then gives up.
    fn was_not_allowed(&mut self) -> bool {
        if self.cursor.is_none() {
            return false;
        }
        self.denials += 1;
        if self.denials > PATIENT_DENIALS {
            self.cursor = None;
        }
        true
    }

    /// The hand as it is seen; `None` before the first.
    #[cfg(test)]
    pub fn view(&self) -> Option<&HandView> {
        self.view.as_ref()
    }

    /// The item that begins or resumes this table on a stream.
    pub fn attach(&mut self) -> v1::PlayRequestItem {
        self.is_attached = false;
        let cursor = self.cursor.map(|(hand, number)| v1::Cursor { hand, number });
        self.item(v1::play_request_item::Item::Attach(v1::Attach { seat_token: self.seat_token.clone(), cursor }))
    }

    /// The item that stops playing this table on a stream.
    pub fn detach(&self) -> v1::PlayRequestItem {
        self.item(v1::play_request_item::Item::Detach(v1::Detach {}))
    }

    /// The item that carries a proposal.
    pub fn proposing(&self, propose: v1::Propose) -> v1::PlayRequestItem {
        self.item(v1::play_request_item::Item::Propose(propose))
    }

    fn item(&self, item: v1::play_request_item::Item) -> v1::PlayRequestItem {
        v1::PlayRequestItem { table_id: self.table_id.clone(), item: Some(item) }
    }

    // --- what comes --------------------------------------------------------------------------------------

    /// Takes what the server says and returns what to do.
    ///
    /// Items, events and enum values that this version does not know are ignored.
    pub fn receive(&mut self, item: &v1::PlayResponseItem, now: Instant) -> Result<Vec<Outcome>, Stop> {
        match &item.item {
            Some(Received::Event(event)) => self.event(event),
            Some(Received::Decision(decision)) => Ok(self.decision(decision, now)?.into_iter().collect()),
            Some(Received::Answered(answered)) => self.answered(answered, now),
            Some(Received::Snapshot(snapshot)) => self.snapshot(snapshot),
            Some(Received::End(end)) => Ok(vec![self.ended(end.reason)]),
            Some(Received::Heartbeat(_) | Received::Sealed(_)) | None => Ok(Vec::new()),
        }
    }

    fn snapshot(&mut self, snapshot: &v1::Snapshot) -> Result<Vec<Outcome>, Stop> {
        self.is_attached = true;
        self.played.resumed = self.snapshots;
        self.snapshots += 1;
        self.denials = 0;
        if let Some(table) = &snapshot.table {
            if let Some(config) = table.config.as_ref().filter(|_| self.rules.is_none()) {
                self.rules = Some(TableRules::of(config)?);
            }
            if !table.match_name.is_empty() {
                self.match_name.clone_from(&table.match_name);
            }
            self.names.extend(table.seats.iter().map(|seat| (seat.seat, seat.name.clone())));
        }
        let mut outcomes = Vec::new();
        for event in &snapshot.events {
            outcomes.extend(self.event(event)?);
        }
        Ok(outcomes)
    }

    fn ended(&mut self, reason: i32) -> Outcome {
        self.is_attached = false;
        let known = StreamEndReason::try_from(reason).ok();
        if known == Some(StreamEndReason::CursorUnknown) {
            self.cursor = None; // it would only be refused again
        }
        let is_worth_a_try = known == Some(StreamEndReason::NotAllowed) && self.was_not_allowed();
        match known.filter(|known| TERMINAL.contains(known)) {
            Some(final_reason) if !is_worth_a_try => {
                self.end(final_reason);
                Outcome::Ended
            }
            _ => Outcome::Interrupted(reason),
        }
    }

    /// Notes that nothing more comes.
    pub fn end(&mut self, reason: StreamEndReason) {
        self.over = true;
        self.played.reason = reason.as_str_name().trim_start_matches("STREAM_END_REASON_").to_owned();
    }

    // --- events ------------------------------------------------------------------------------------------

    fn event(&mut self, seen: &v1::SeenEvent) -> Result<Vec<Outcome>, Stop> {
        use v1::seen_event::Event as Told;
        let place = (seen.hand, seen.number);
        if self.cursor.is_some_and(|cursor| place <= cursor) {
            return Ok(Vec::new());
        }
        self.expect(place)?;
        self.cursor = Some(place);
        self.events += 1;
        match &seen.event {
            Some(Told::HandEvent(event)) => return self.hand_event(seen.hand, event),
            Some(Told::HandBegan(began)) => self.hand_began(seen.hand, began)?,
            Some(Told::SeatTaken(taken)) => {
                self.names.insert(taken.seat, taken.name.clone());
            }
            Some(Told::Opened(opened)) => {
                self.deals.opened(opened);
                if let Some(config) = opened.config.as_ref().filter(|_| self.rules.is_none()) {
                    self.rules = Some(TableRules::of(config)?);
                }
            }
            Some(Told::CommitmentsClosed(closed)) => {
                self.deals.closed(closed);
                if !self.seed.is_empty() {
                    return Ok(vec![Outcome::Reveal(self.seed.clone())]);
                }
            }
            Some(Told::Ended(ended)) => {
                self.deals.ended(&ended.seeds.clone().unwrap_or_default());
                self.played.deals_checked = self.deals.checked;
                self.played.deal_fault.clone_from(&self.deals.fault);
            }
            _ => {}
        }
        Ok(Vec::new())
    }

    /// Makes sure that nothing lies between the cursor and the next event.
    fn expect(&mut self, place: (i64, i64)) -> Result<(), Stop> {
        let Some((hand, number)) = self.cursor else {
            return Ok(());
        };
        let hand_is_over = self.view.as_ref().is_none_or(|view| view.number != hand || view.over());
        if place == (hand, number + 1) || (place == (hand + 1, 1) && hand_is_over) {
            return Ok(());
        }
        let what = format!("after event {number} of hand {hand} came event {} of hand {}", place.1, place.0);
        Err(self.missed(&what, false))
    }

    fn missed(&mut self, what: &str, begin_anew: bool) -> Stop {
        self.gaps += 1;
        if self.gaps > MAX_GAPS {
            return Broken(format!("{}: {what}, {} times", self.table_id, self.gaps)).into();
        }
        if begin_anew || self.gaps > FORGIVEN_GAPS {
            self.cursor = None;
        }
        Stop::Gap(format!("{}: {what}", self.table_id))
    }

    fn hand_began(&mut self, number: i64, began: &v1::HandBegan) -> Result<(), Stop> {
        let Some(rules) = self.rules.clone() else {
            return Err(Broken(format!("{}: a hand began before it was told what is played", self.table_id)).into());
        };
        if self.view.as_ref().is_none_or(|view| view.number != number) {
            self.gaps = 0;
        }
        self.view = Some(HandView::begin(rules, number, began, &self.table_id, &self.match_name, &self.names)?);
        self.deals.began(number, &began.deck_root);
        Ok(())
    }

    fn hand_event(&mut self, hand: i64, message: &v1::Event) -> Result<Vec<Outcome>, Stop> {
        let Some(view) = self.view.as_mut().filter(|view| view.number == hand) else {
            return Err(self.missed(&format!("the beginning of hand {hand} was not told"), true));
        };
        let Some(event) = Event::of(message)? else {
            return Ok(Vec::new());
        };
        let is_last = event.kind == EventKind::HandEnded;
        view.fold(event)?;
        if view.seat != 0 {
            self.played.seat = view.seat;
        }
        Ok(if is_last { self.hand_over().into_iter().collect() } else { Vec::new() })
    }

    fn hand_over(&mut self) -> Option<Outcome> {
        let view = self.view.as_ref()?;
        if self.open.as_ref().is_some_and(|open| open.hand_id == view.hand_id) {
            self.open = None;
        }
        if view.number <= self.last_over {
            return None; // a hand that is told again
        }
        self.last_over = view.number;
        self.deals.over(view);
        if let Some(net) = view.net_of(view.seat) {
            self.played.hands += 1;
            self.played.net += net;
        }
        Some(Outcome::HandOver(Box::new(view.clone())))
    }

    /// The proposal that turns up one's hand after it is over.
    pub fn showing(&mut self, view: &HandView) -> v1::Propose {
        let proposal = v1::Proposal {
            hand_id: view.hand_id.clone(),
            decision_id: 0,
            seat: view.seat,
            action: Some(Action::Show.message()),
        };
        v1::Propose { request_id: self.request_ids.next(), proposal: Some(proposal), ..v1::Propose::default() }
    }

    // --- decisions ---------------------------------------------------------------------------------------

    fn decision(&mut self, message: &v1::Decision, now: Instant) -> Result<Option<Outcome>, Stop> {
        let legal = LegalOptions::of(&message.legal.clone().unwrap_or_default())?;
        let remaining = Duration::from_millis(u64::try_from(message.remaining_ms).unwrap_or(0));
        let until = (message.deadline_unix_ms != 0).then(|| now.checked_add(remaining)).flatten();
        let repeated = self
            .open
            .as_mut()
            .filter(|open| open.hand_id == message.hand_id && open.legal.decision_id == legal.decision_id);
        if let Some(open) = repeated {
            (open.legal, open.until) = (legal, until);
            return match (&open.propose, &open.asked) {
                // Sent, and not acknowledged: the same again, under the same id.
                (Some(propose), _) => Ok(Some(Outcome::Send(propose.clone()))),
                (None, Some(_)) => Ok(None),
                (None, None) => self.ask(message.hand, now).map(Some),
            };
        }
        self.open = Some(Open {
            hand_id: message.hand_id.clone(),
            legal,
            until,
            refusals: 0,
            refusal: None,
            asked: None,
            propose: None,
            defaulted: false,
        });
        self.played.decisions += 1;
        self.ask(message.hand, now).map(Some)
    }

    fn ask(&mut self, hand: i64, now: Instant) -> Result<Outcome, Stop> {
        let view = self.view.as_ref().filter(|view| view.number == hand);
        let (Some(view), Some(open)) = (view, self.open.as_mut()) else {
            return Err(self.beginning_missed(hand));
        };
        if view.hand_id != open.hand_id {
            return Err(self.beginning_missed(hand));
        }
        let left = |until: Instant| i64::try_from(until.saturating_duration_since(now).as_millis()).unwrap_or(i64::MAX);
        let decision = view.decision(open.legal.clone(), open.until.map(left), open.refusal.clone())?;
        self.askings += 1;
        let question = Question { asking: self.askings, decision: Arc::new(decision) };
        open.asked = Some(question.clone());
        Ok(Outcome::Ask(question))
    }

    fn beginning_missed(&mut self, hand: i64) -> Stop {
        self.open = None;
        self.missed(&format!("the beginning of hand {hand} was not told"), true)
    }

    /// The proposal to send now for a decision that the bot answered.
    ///
    /// `None` when the decision is no longer open, and while the table is being attached again: the decision is then
    /// repeated after the snapshot, and what was answered is sent once, by [`Follower::receive`].
    pub fn answer(&mut self, asking: u64, action: &Action) -> Option<v1::Propose> {
        let open = self.open.as_mut()?;
        let question = open.asked.as_ref().filter(|question| question.asking == asking)?;
        let proposal = Some(question.decision.proposal(action));
        let propose = v1::Propose { request_id: self.request_ids.next(), proposal, ..v1::Propose::default() };
        open.propose = Some(propose.clone());
        self.is_attached.then_some(propose)
    }

    fn answered(&mut self, answered: &v1::Answered, now: Instant) -> Result<Vec<Outcome>, Stop> {
        let is_answer =
            |open: &&mut Open| open.propose.as_ref().is_some_and(|propose| propose.request_id == answered.request_id);
        let Some(open) = self.open.as_mut().filter(is_answer) else {
            return Ok(Vec::new());
        };
        let ruling = answered.ruling.clone().unwrap_or_default();
        if ruling.accepted {
            self.open = None;
            return Ok(Vec::new());
        }
        if ruling.reason == 0 && ruling.legal.is_none() {
            return Ok(Vec::new()); // not a ruling: the table is stopping, and asks again when it goes on
        }
        let Some(question) = open.asked.clone() else {
            return Ok(Vec::new()); // only a decision that was asked has an answer
        };
        let refusal = Refusal::of(&ruling)?;
        self.played.refusals += 1;
        let mut outcomes = vec![Outcome::Refused(Arc::clone(&question.decision), refusal.clone())];
        let is_gone = match &refusal.legal {
            Some(legal) => legal.decision_id != open.legal.decision_id,
            None => refusal.reason.is_some(), // a newer server's reason may mean anything
        };
        if is_gone || open.defaulted {
            self.open = None; // no longer open, such as after a time-out; or nothing else is left to try
            return Ok(outcomes);
        }
        if let Some(legal) = &refusal.legal {
            open.legal = legal.clone();
        }
        open.refusal = Some(refusal);
        open.propose = None;
        open.refusals += 1;
        open.asked = None;
        if open.refusals <= self.max_refusals {
            outcomes.push(self.ask(question.decision.hand_number, now)?);
        } else {
            outcomes.extend(self.default_answer(question.decision.hand_number, now)?);
        }
        Ok(outcomes)
    }

    /// Answers for a bot that was refused too often: check, else fold, else the cards dealt last.
    fn default_answer(&mut self, hand: i64, now: Instant) -> Result<Option<Outcome>, Stop> {
        let Outcome::Ask(question) = self.ask(hand, now)? else {
            return Ok(None);
        };
        if let Some(open) = self.open.as_mut() {
            open.defaulted = true;
        }
        self.played.defaults += 1;
        let action = question.decision.check_or_fold();
        Ok(self.answer(question.asking, &action).map(Outcome::Send))
    }
}

/// Request ids that no other client and no earlier run has used.
struct RequestIds {
    prefix: String,
    number: u64,
}

impl RequestIds {
    fn fresh() -> Self {
        Self { prefix: hex(&random_bytes::<8>()), number: 0 }
    }

    fn next(&mut self) -> String {
        self.number += 1;
        format!("{}-{}", self.prefix, self.number)
    }
}
