//! Playing against scripted servers: each test is the server, message by message, on a real connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio_stream::wrappers::{TcpListenerStream, UnboundedReceiverStream};
use tokio_util::sync::CancellationToken;
use tonic::codegen::BoxStream;
use tonic::{Code, Request, Response, Status, Streaming, async_trait};

use crate::deals::{commit_referee, commit_seat};
use crate::v1::play_request_item::Item as Asked;
use crate::v1::play_response_item::Item as Told;
use crate::v1::table_service_server::{TableService, TableServiceServer};
use crate::v1::{self, EventKind, StreamEndReason};
use crate::{
    Action, Backoff, Bot, Decision, Error, HandView, Notice, Options, OwnSeed, Played, Refusal, Seat, SeatRequest,
    Server, play, sit_in, sit_out, take_seat, top_up,
};

type Answer = Result<v1::PlayResponse, Status>;

/// A stream that a client opened, from the server's side. Dropping it ends the stream without a word.
struct Call {
    requests: Streaming<v1::PlayRequest>,
    answers: UnboundedSender<Answer>,
}

impl Call {
    /// What the client says next.
    async fn request(&mut self) -> v1::PlayRequest {
        within(self.requests.message()).await.expect("a stream").expect("a message")
    }

    /// The one thing that the client says next, about this table.
    async fn asked(&mut self, table_id: &str) -> Asked {
        let mut request = self.request().await;
        assert_eq!(request.items.len(), 1, "{request:?}");
        let item = request.items.remove(0);
        assert_eq!(item.table_id, table_id);
        item.item.expect("something")
    }

    async fn attached(&mut self, table_id: &str) -> Option<v1::Cursor> {
        match self.asked(table_id).await {
            Asked::Attach(attach) => {
                assert_eq!(attach.seat_token, format!("token of {table_id}"));
                attach.cursor
            }
            other => panic!("attached, not {other:?}"),
        }
    }

    async fn proposed(&mut self, table_id: &str) -> v1::Propose {
        match self.asked(table_id).await {
            Asked::Propose(propose) => propose,
            other => panic!("proposed, not {other:?}"),
        }
    }

    fn tell(&self, items: Vec<v1::PlayResponseItem>) {
        self.answers.send(Ok(v1::PlayResponse { items })).expect("a client that listens");
    }

    fn fail(self, status: Status) {
        self.answers.send(Err(status)).expect("a client that listens");
    }
}

/// Hands streams to the test, and counts other calls.
struct Scripted {
    calls: UnboundedSender<Call>,
    unary: UnboundedSender<Unary>,
    refuses_commitments: bool,
    outs: AtomicUsize,
}

/// A call that is not a stream, as it came.
#[derive(Debug)]
enum Unary {
    Taken(v1::TakeSeatRequest),
    Committed(v1::CommitSeedRequest),
    Revealed(v1::RevealSeedRequest),
    Left(v1::LeaveSeatRequest),
    SatOut(v1::SitOutRequest),
    SatIn(v1::SitInRequest),
    ToppedUp(v1::TopUpRequest),
}

#[async_trait]
impl TableService for Scripted {
    async fn play(
        &self,
        request: Request<Streaming<v1::PlayRequest>>,
    ) -> Result<Response<BoxStream<v1::PlayResponse>>, Status> {
        let (answers, outgoing) = unbounded_channel();
        self.calls.send(Call { requests: request.into_inner(), answers }).expect("a test");
        Ok(Response::new(Box::pin(UnboundedReceiverStream::new(outgoing))))
    }

    async fn get_table(&self, _: Request<v1::GetTableRequest>) -> Result<Response<v1::GetTableResponse>, Status> {
        Ok(Response::new(v1::GetTableResponse { table: Some(table_state("t")) }))
    }

    async fn take_seat(&self, request: Request<v1::TakeSeatRequest>) -> Result<Response<v1::TakeSeatResponse>, Status> {
        assert!(request.metadata().contains_key("grpc-timeout"), "a call has a deadline");
        self.unary.send(Unary::Taken(request.into_inner())).expect("a test");
        Ok(Response::new(v1::TakeSeatResponse { seat: 2, seat_token: "token of t".into() }))
    }

    async fn commit_seed(
        &self,
        request: Request<v1::CommitSeedRequest>,
    ) -> Result<Response<v1::CommitSeedResponse>, Status> {
        self.unary.send(Unary::Committed(request.into_inner())).expect("a test");
        if self.refuses_commitments {
            return Err(Status::failed_precondition("too late"));
        }
        Ok(Response::new(v1::CommitSeedResponse {}))
    }

    async fn reveal_seed(
        &self,
        request: Request<v1::RevealSeedRequest>,
    ) -> Result<Response<v1::RevealSeedResponse>, Status> {
        self.unary.send(Unary::Revealed(request.into_inner())).expect("a test");
        Ok(Response::new(v1::RevealSeedResponse {}))
    }

    async fn leave_seat(
        &self,
        request: Request<v1::LeaveSeatRequest>,
    ) -> Result<Response<v1::LeaveSeatResponse>, Status> {
        self.unary.send(Unary::Left(request.into_inner())).expect("a test");
        Ok(Response::new(v1::LeaveSeatResponse {}))
    }

    async fn sit_out(&self, request: Request<v1::SitOutRequest>) -> Result<Response<v1::SitOutResponse>, Status> {
        let is_first = self.outs.fetch_add(1, Ordering::Relaxed) == 0;
        self.unary.send(Unary::SatOut(request.into_inner())).expect("a test");
        if is_first { Err(Status::unavailable("away")) } else { Ok(Response::new(v1::SitOutResponse {})) }
    }

    async fn sit_in(&self, request: Request<v1::SitInRequest>) -> Result<Response<v1::SitInResponse>, Status> {
        self.unary.send(Unary::SatIn(request.into_inner())).expect("a test");
        Ok(Response::new(v1::SitInResponse {}))
    }

    async fn top_up(&self, request: Request<v1::TopUpRequest>) -> Result<Response<v1::TopUpResponse>, Status> {
        self.unary.send(Unary::ToppedUp(request.into_inner())).expect("a test");
        Err(Status::failed_precondition("not at this table"))
    }
}

/// A server on a free port of loopback.
struct Script {
    server: Server,
    calls: UnboundedReceiver<Call>,
    unary: UnboundedReceiver<Unary>,
}

impl Script {
    async fn serve() -> Self {
        Self::serve_with(false).await
    }

    async fn serve_with(refuses_commitments: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let server = Server::plain(&listener.local_addr().expect("an address").to_string()).expect("a server");
        let (calls, opened) = unbounded_channel();
        let (unary, called) = unbounded_channel();
        let service =
            TableServiceServer::new(Scripted { calls, unary, refuses_commitments, outs: AtomicUsize::new(0) });
        let serving = tonic::transport::Server::builder().add_service(service);
        tokio::spawn(serving.serve_with_incoming(TcpListenerStream::new(listener)));
        Self { server, calls: opened, unary: called }
    }

    /// The next stream that a client opens.
    async fn call(&mut self) -> Call {
        within(self.calls.recv()).await.expect("a server that goes on")
    }

    /// The next stream, attached to table `t` after this cursor.
    async fn call_at(&mut self, cursor: Option<(i64, i64)>) -> Call {
        let mut call = self.call().await;
        let attached = call.attached("t").await.map(|cursor| (cursor.hand, cursor.number));
        assert_eq!(attached, cursor);
        call
    }

    fn play(&self, bot: impl Bot, tables: &[&str], options: Options) -> JoinHandle<Result<Vec<Played>, Error>> {
        let seats: Vec<Seat> =
            tables.iter().map(|table_id| Seat::known(table_id, &format!("token of {table_id}"))).collect();
        self.play_seats(bot, seats, options)
    }

    fn play_seats(&self, bot: impl Bot, seats: Vec<Seat>, options: Options) -> JoinHandle<Result<Vec<Played>, Error>> {
        let server = self.server.clone();
        tokio::spawn(async move { play(&server, bot, &seats, options).await })
    }
}

/// Short waits, so that a lost connection costs a test nothing; silence is no way out of what else must end a stream.
fn quick() -> Options {
    let backoff = Backoff { first: Duration::from_millis(1), most: Duration::from_millis(20), tries: 30 };
    Options { backoff, silence: Duration::from_secs(3600), ..Options::default() }
}

/// What must come; a client that does something else fails its test instead of hanging it.
async fn within<T>(coming: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), coming).await.expect("something within a minute")
}

async fn finish(playing: JoinHandle<Result<Vec<Played>, Error>>) -> Vec<Played> {
    within(playing).await.expect("no panic").expect("played")
}

async fn failure(playing: JoinHandle<Result<Vec<Played>, Error>>) -> Error {
    within(playing).await.expect("no panic").expect_err("not played to the end")
}

// --- what a table tells ----------------------------------------------------------------------------------

fn config() -> v1::TableConfig {
    v1::TableConfig {
        rules: Some(v1::table_config::Rules::RuleSetName("irish/full-tilt@1".into())),
        structure: v1::BettingStructure::NoLimit.into(),
        stakes: Some(v1::Stakes { small_blind: 5, big_blind: 10, ..v1::Stakes::default() }),
        seats: 2,
        starting_stack: 1000,
        ..v1::TableConfig::default()
    }
}

fn table_state(table_id: &str) -> v1::TableState {
    v1::TableState {
        table_id: table_id.to_owned(),
        config: Some(config()),
        match_name: "match".into(),
        deal_commitment: commit_referee("match", &[9; 32]).expect("a commitment").to_vec(),
        seats: vec![
            v1::SeatState { seat: 1, name: "one".into(), ..v1::SeatState::default() },
            v1::SeatState { seat: 2, name: "two".into(), ..v1::SeatState::default() },
        ],
        ..v1::TableState::default()
    }
}

fn about(table_id: &str, told: Told) -> v1::PlayResponseItem {
    v1::PlayResponseItem { table_id: table_id.to_owned(), item: Some(told) }
}

fn snapshot(table_id: &str) -> v1::PlayResponseItem {
    about(table_id, Told::Snapshot(v1::Snapshot { table: Some(table_state(table_id)), events: Vec::new() }))
}

fn end(table_id: &str, reason: StreamEndReason) -> v1::PlayResponseItem {
    about(table_id, Told::End(v1::StreamEnd { reason: reason.into() }))
}

fn event(table_id: &str, (hand, number): (i64, i64), event: v1::seen_event::Event) -> v1::PlayResponseItem {
    about(table_id, Told::Event(v1::SeenEvent { hand, number, time_unix_ms: 1, event: Some(event) }))
}

fn hand_event(kind: EventKind, seat: i32, amount: i64, cards: &[&str]) -> v1::seen_event::Event {
    let cards = cards.iter().map(|&card| card.to_owned()).collect();
    let event = v1::Event { kind: kind.into(), seat, amount, street_total: amount, cards, ..v1::Event::default() };
    v1::seen_event::Event::HandEvent(event)
}

/// How heads-up hand `hand` begins for seat 2, which is first to act before the flop: events 1 to 5.
fn beginning(table_id: &str, hand: i64) -> Vec<v1::PlayResponseItem> {
    let player = |seat: i32| v1::PlayerSetup { seat, stack: 1000, ..v1::PlayerSetup::default() };
    let began = v1::HandBegan {
        hand_id: format!("{table_id}-{hand}"),
        players: vec![player(1), player(2)],
        button_seat: 2,
        small_blind_seat: 2,
        big_blind_seat: 1,
        deck_root: Vec::new(),
        ..v1::HandBegan::default()
    };
    let events = [
        v1::seen_event::Event::HandBegan(began),
        hand_event(EventKind::BlindPosted, 2, 5, &[]),
        hand_event(EventKind::BlindPosted, 1, 10, &[]),
        hand_event(EventKind::HoleDealt, 1, 0, &["??", "??", "??", "??"]),
        hand_event(EventKind::HoleDealt, 2, 0, &["Ah", "Kd", "9c", "9d"]),
    ];
    (1..).zip(events).map(|(number, one)| event(table_id, (hand, number), one)).collect()
}

fn legal(decision_id: i32) -> v1::LegalOptions {
    v1::LegalOptions {
        seat: 2,
        decision_id,
        can_fold: true,
        amount_to_call: 5,
        wager: v1::WagerKind::Raise.into(),
        min_raise_to: 20,
        max_raise_to: 1000,
        raise_step: 1,
        ..v1::LegalOptions::default()
    }
}

fn decision(table_id: &str, hand: i64, decision_id: i32) -> v1::PlayResponseItem {
    let hand_id = format!("{table_id}-{hand}");
    let legal = Some(legal(decision_id));
    about(table_id, Told::Decision(v1::Decision { hand_id, hand, legal, ..v1::Decision::default() }))
}

fn asked_at(table_id: &str, hand: i64) -> Vec<v1::PlayResponseItem> {
    let mut items = vec![snapshot(table_id)];
    items.extend(beginning(table_id, hand));
    items.push(decision(table_id, hand, 1));
    items
}

fn ruled(table_id: &str, propose: &v1::Propose, ruling: v1::Ruling) -> v1::PlayResponseItem {
    about(
        table_id,
        Told::Answered(v1::Answered {
            request_id: propose.request_id.clone(),
            ruling: Some(ruling),
            ..v1::Answered::default()
        }),
    )
}

fn accepted(table_id: &str, propose: &v1::Propose) -> v1::PlayResponseItem {
    ruled(table_id, propose, v1::Ruling { accepted: true, ..v1::Ruling::default() })
}

fn refused(reason: v1::Reason, legal: Option<v1::LegalOptions>) -> v1::Ruling {
    v1::Ruling { rule: "SIZE-3".into(), reason: reason.into(), message: "no".into(), legal, ..v1::Ruling::default() }
}

/// Seat 2 folds and the hand ends: events 6 to 8.
fn folded(table_id: &str, hand: i64) -> Vec<v1::PlayResponseItem> {
    let events = [
        hand_event(EventKind::Folded, 2, 0, &[]),
        hand_event(EventKind::PotAwarded, 1, 15, &[]),
        hand_event(EventKind::HandEnded, 0, 0, &[]),
    ];
    (6..).zip(events).map(|(number, one)| event(table_id, (hand, number), one)).collect()
}

fn action_of(propose: &v1::Propose) -> v1::action::Action {
    propose.proposal.clone().and_then(|proposal| proposal.action).and_then(|action| action.action).expect("an action")
}

fn call_or_check(decision: &Decision) -> Action {
    decision.check_or_call()
}

fn fold_always(decision: &Decision) -> Action {
    decision.fold()
}

// --- playing ---------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_hand_is_played_to_the_end_of_its_table() {
    let mut script = Script::serve().await;
    let playing = script.play(fold_always, &["t"], quick());
    let mut call = script.call().await;
    let first = call.request().await;
    assert_eq!((first.items.len(), first.max_open_decisions), (1, 1));
    call.tell(asked_at("t", 1));
    let propose = call.proposed("t").await;
    let proposal = propose.proposal.clone().expect("a proposal");
    assert_eq!((proposal.hand_id.as_str(), proposal.decision_id, proposal.seat), ("t-1", 1, 2));
    assert!(matches!(action_of(&propose), v1::action::Action::Fold(_)));
    call.tell(vec![accepted("t", &propose)]);
    call.tell(folded("t", 1));
    call.tell(vec![end("t", StreamEndReason::TableEnded)]);
    assert!(within(call.requests.message()).await.expect("a stream").is_none(), "a stream that is over is closed");
    drop(call);
    let [played] = finish(playing).await.try_into().expect("one table");
    let expected = Played {
        table_id: "t".into(),
        seat: 2,
        hands: 1,
        net: -5,
        decisions: 1,
        reason: "TABLE_ENDED".into(),
        ..Played::default()
    };
    assert_eq!(played, expected);
}

#[tokio::test]
async fn what_many_tables_ask_at_once_is_answered_in_one_message() {
    let mut script = Script::serve().await;
    let tables = ["a", "b", "c"];
    let playing = script.play(call_or_check, &tables, Options { max_open_decisions: 3, ..quick() });
    let mut call = script.call().await;
    let first = call.request().await;
    assert_eq!((first.items.len(), first.max_open_decisions), (3, 3));
    call.tell(tables.iter().flat_map(|table_id| asked_at(table_id, 1)).collect());
    let answers = call.request().await;
    assert_eq!(answers.items.iter().map(|item| item.table_id.as_str()).collect::<Vec<_>>(), tables);
    call.tell(vec![end("", StreamEndReason::TableEnded)]);
    drop(call);
    assert_eq!(finish(playing).await.len(), 3);
}

#[tokio::test]
async fn a_bot_that_thinks_long_keeps_back_no_other_answer() {
    let mut script = Script::serve().await;
    let (think, thinks) = std::sync::mpsc::channel::<()>();
    let slow = move |decision: &Decision| {
        if decision.table_id == "b" {
            thinks.recv().expect("the test lets it go on");
        }
        decision.check_or_call()
    };
    let playing = script.play(slow, &["a", "b"], Options { max_open_decisions: 2, ..quick() });
    let mut call = script.call().await;
    call.request().await;
    call.tell(asked_at("a", 1));
    let propose = call.proposed("a").await;
    call.tell(asked_at("b", 1));
    call.tell(vec![accepted("a", &propose)]);
    call.tell(vec![
        event("a", (1, 6), hand_event(EventKind::Called, 2, 5, &[])),
        end("a", StreamEndReason::TableEnded),
    ]);
    think.send(()).expect("a bot");
    call.proposed("b").await;
    call.tell(vec![end("b", StreamEndReason::TableEnded)]);
    drop(call);
    assert_eq!(finish(playing).await.len(), 2);
}

// --- lost connections ------------------------------------------------------------------------------------

#[tokio::test]
async fn an_answer_that_was_not_acknowledged_is_sent_again_as_it_was() {
    let mut script = Script::serve().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&asked);
    let bot = move |decision: &Decision| {
        // Another answer each time, so that one which is given twice would be seen.
        decision.raise_to(20 + counting.fetch_add(1, Ordering::Relaxed) as i64)
    };
    let playing = script.play(bot, &["t"], quick());
    let mut call = script.call_at(None).await;
    call.tell(asked_at("t", 1));
    let propose = call.proposed("t").await;
    call.fail(Status::unavailable("away"));
    let mut call = script.call_at(Some((1, 5))).await;
    call.tell(vec![snapshot("t"), decision("t", 1, 1)]);
    assert_eq!(call.proposed("t").await, propose);
    call.tell(vec![accepted("t", &propose), end("t", StreamEndReason::TableEnded)]);
    drop(call);
    let played = &finish(playing).await[0];
    assert_eq!((played.decisions, played.resumed, asked.load(Ordering::Relaxed)), (1, 1, 1));
}

#[tokio::test]
async fn an_answer_that_was_taken_is_not_given_to_the_next_decision() {
    let mut script = Script::serve().await;
    let playing = script.play(fold_always, &["t"], quick());
    let mut call = script.call_at(None).await;
    call.tell(asked_at("t", 1));
    let first = call.proposed("t").await;
    drop(call); // its ruling is lost
    let mut call = script.call_at(Some((1, 5))).await;
    call.tell(vec![snapshot("t")]);
    call.tell(folded("t", 1));
    call.tell(beginning("t", 2));
    call.tell(vec![decision("t", 2, 1)]);
    let second = call.proposed("t").await;
    assert_ne!(first.request_id, second.request_id);
    assert_eq!(second.proposal.expect("a proposal").hand_id, "t-2");
    call.tell(vec![end("t", StreamEndReason::TableEnded)]);
    drop(call);
    assert_eq!(finish(playing).await[0].decisions, 2);
}

#[tokio::test]
async fn an_answer_to_one_hand_is_not_sent_for_the_next_one_though_the_hands_end_was_not_told() {
    let mut script = Script::serve().await;
    let playing = script.play(fold_always, &["t"], quick());
    let mut call = script.call_at(None).await;
    call.tell(asked_at("t", 1));
    let first = call.proposed("t").await;
    call.tell(vec![end("t", StreamEndReason::CursorUnknown)]);
    let mut call = script.call_at(None).await;
    call.tell(asked_at("t", 2)); // its first decision has the id of the one that was answered
    let second = call.proposed("t").await;
    assert_ne!(first.request_id, second.request_id);
    assert_eq!(second.proposal.expect("a proposal").hand_id, "t-2");
    call.tell(vec![end("t", StreamEndReason::TableEnded)]);
    drop(call);
    assert_eq!(finish(playing).await[0].decisions, 2);
}

#[tokio::test]
async fn the_end_of_a_stream_is_not_the_end_of_a_table() {
    let mut script = Script::serve().await;
    let playing = script.play(fold_always, &["t"], quick());
    let call = script.call_at(None).await;
    call.tell(vec![snapshot("t")]);
    drop(call);
    for reason in [
        StreamEndReason::ServerDraining,
        StreamEndReason::TooSlow,
        StreamEndReason::StoreFailed,
        StreamEndReason::Unspecified,
    ] {
        let call = script.call_at(None).await;
        call.tell(vec![snapshot("t"), end("t", reason)]);
    }
    let call = script.call_at(None).await;
    let of_the_future = about("t", Told::End(v1::StreamEnd { reason: 77 }));
    call.tell(vec![of_the_future]);
    let call = script.call_at(None).await;
    call.tell(vec![snapshot("t"), end("t", StreamEndReason::Replaced)]);
    drop(call);
    let played = &finish(playing).await[0];
    assert_eq!((played.reason.as_str(), played.resumed), ("REPLACED", 5));
}

#[tokio::test]
async fn a_cursor_that_is_not_known_is_forgotten_and_a_denied_seat_tries_a_few_times() {
    let mut script = Script::serve().await;
    let playing = script.play(fold_always, &["t"], quick());
    let call = script.call_at(None).await;
    call.tell(vec![snapshot("t")]);
    call.tell(beginning("t", 1));
    call.tell(vec![end("t", StreamEndReason::CursorUnknown)]);
    let call = script.call_at(None).await;
    call.tell(vec![snapshot("t")]);
    call.tell(beginning("t", 1));
    drop(call);
    for _ in 0..3 {
        let call = script.call_at(Some((1, 5))).await;
        call.tell(vec![end("t", StreamEndReason::NotAllowed)]);
    }
    let call = script.call_at(None).await;
    call.tell(vec![end("t", StreamEndReason::NotAllowed)]);
    drop(call);
    assert_eq!(finish(playing).await[0].reason, "NOT_ALLOWED");
}

#[tokio::test]
async fn a_gap_is_resumed_and_what_is_told_again_changes_nothing() {
    let mut script = Script::serve().await;
    let playing = script.play(call_or_check, &["t"], quick());
    let call = script.call_at(None).await;
    let mut told = beginning("t", 1);
    let skipped = told.remove(3);
    call.tell(vec![snapshot("t")]);
    call.tell(told.clone());
    let mut call = script.call_at(Some((1, 3))).await;
    let last = told.pop().expect("an event");
    call.tell([vec![snapshot("t")], told.clone(), vec![skipped, last.clone(), last, decision("t", 1, 1)]].concat());
    let propose = call.proposed("t").await;
    assert!(matches!(action_of(&propose), v1::action::Action::Call(_)));
    call.tell(vec![accepted("t", &propose)]);
    call.tell([vec![event("t", (1, 6), hand_event(EventKind::Called, 2, 5, &[]))], told].concat());
    call.tell(vec![decision("t", 1, 2)]);
    call.proposed("t").await;
    call.tell(vec![end("t", StreamEndReason::TableEnded)]);
    drop(call);
    let played = &finish(playing).await[0];
    assert_eq!((played.decisions, played.resumed), (2, 1));
}

#[tokio::test]
async fn a_server_that_never_tells_a_hand_whole_is_given_up() {
    let mut script = Script::serve().await;
    let playing = script.play(call_or_check, &["t"], quick());
    let answering = tokio::spawn(async move {
        loop {
            let call = script.call().await;
            let mut told = beginning("t", 1);
            told.remove(3);
            told.insert(0, snapshot("t"));
            call.tell(told);
        }
    });
    assert!(matches!(failure(playing).await, Error::Broken(_)));
    answering.abort();
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_left_for_another() {
    let mut script = Script::serve().await;
    let playing = script.play(call_or_check, &["t"], Options { silence: Duration::from_millis(200), ..quick() });
    let mut silent = script.call_at(None).await;
    silent.tell(vec![snapshot("t")]);
    let from = Instant::now();
    let call = script.call_at(None).await;
    assert!(from.elapsed() >= Duration::from_millis(200), "heard {:?} ago", from.elapsed());
    assert!(!matches!(within(silent.requests.message()).await, Ok(Some(_))), "the silent stream is cancelled");
    call.tell(vec![snapshot("t"), end("t", StreamEndReason::TableEnded)]);
    drop(call);
    assert_eq!(finish(playing).await[0].resumed, 1);
}

#[tokio::test]
async fn a_server_that_is_away_is_given_up_at_last() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let server = Server::plain(&listener.local_addr().expect("an address").to_string()).expect("a server");
    drop(listener);
    let mut options = quick();
    options.backoff.tries = 3;
    let lost = play(&server, fold_always, &[Seat::known("t", "token")], options).await;
    assert!(matches!(lost, Err(Error::ConnectionLost(_))), "{lost:?}");
}

#[tokio::test]
async fn a_stream_that_is_refused_is_not_tried_again() {
    let mut script = Script::serve().await;
    let playing = script.play(fold_always, &["t"], quick());
    script.call().await.fail(Status::invalid_argument("no"));
    assert!(matches!(failure(playing).await, Error::Refused(status) if status.code() == Code::InvalidArgument));
}

#[tokio::test]
async fn one_table_is_attached_again_while_the_others_go_on() {
    let mut script = Script::serve().await;
    let playing = script.play(call_or_check, &["a", "b"], quick());
    let mut call = script.call().await;
    call.request().await;
    call.tell(vec![snapshot("a"), snapshot("b"), end("a", StreamEndReason::StoreFailed)]);
    assert_eq!(call.attached("a").await, None);
    call.tell(asked_at("a", 1));
    call.proposed("a").await;
    call.tell(vec![end("a", StreamEndReason::TableEnded), end("b", StreamEndReason::TableEnded)]);
    drop(call);
    let played = finish(playing).await;
    assert_eq!((played[0].resumed, played[1].resumed), (1, 0));
}

// --- refusals --------------------------------------------------------------------------------------------

/// Always raises by one, and remembers what it was told.
struct Stubborn(UnboundedSender<Refusal>);

impl Bot for Stubborn {
    fn decide(&mut self, decision: &Decision) -> Action {
        assert_eq!(decision.refusal.is_some(), decision.legal.min_to == 30);
        decision.raise_to(decision.level + 1)
    }

    fn refused(&mut self, _decision: &Decision, refusal: &Refusal) {
        self.0.send(refusal.clone()).expect("a test");
    }
}

#[tokio::test]
async fn a_refused_bot_is_asked_three_times_more_and_then_answered_for() {
    let mut script = Script::serve().await;
    let (telling, mut told) = unbounded_channel();
    let playing = script.play(Stubborn(telling), &["t"], quick());
    let mut call = script.call_at(None).await;
    call.tell(asked_at("t", 1));
    let mut ids = Vec::new();
    for _ in 0..4 {
        let propose = call.proposed("t").await;
        assert!(matches!(action_of(&propose), v1::action::Action::Raise(v1::Raise { raise_to: 11 })));
        let options = v1::LegalOptions { min_raise_to: 30, ..legal(1) };
        call.tell(vec![ruled("t", &propose, refused(v1::Reason::BelowMinimum, Some(options)))]);
        ids.push(propose.request_id);
    }
    let propose = call.proposed("t").await;
    assert!(matches!(action_of(&propose), v1::action::Action::Fold(_)));
    ids.push(propose.request_id.clone());
    ids.dedup();
    assert_eq!(ids.len(), 5, "each answer has an id of its own");
    call.tell(vec![accepted("t", &propose), end("t", StreamEndReason::TableEnded)]);
    drop(call);
    let played = &finish(playing).await[0];
    assert_eq!((played.decisions, played.refusals, played.defaults), (1, 4, 1));
    let refusal = told.recv().await.expect("a refusal");
    assert_eq!((refusal.reason, refusal.rule.as_str()), (Some(v1::Reason::BelowMinimum), "SIZE-3"));
    assert_eq!(refusal.legal.map(|legal| (legal.min_to, legal.max_to)), Some((30, 1000)));
}

#[tokio::test]
async fn a_refusal_that_says_that_the_decision_is_gone_is_not_answered() {
    let mut script = Script::serve().await;
    let playing = script.play(call_or_check, &["t"], quick());
    let mut call = script.call_at(None).await;
    call.tell(asked_at("t", 1));
    let propose = call.proposed("t").await;
    call.tell(vec![ruled("t", &propose, refused(v1::Reason::StaleDecision, None)), decision("t", 1, 2)]);
    assert_eq!(call.proposed("t").await.proposal.expect("a proposal").decision_id, 2);
    call.tell(vec![end("t", StreamEndReason::TableEnded)]);
    drop(call);
    let played = &finish(playing).await[0];
    assert_eq!((played.decisions, played.refusals), (2, 1));
}

// --- what is not known -----------------------------------------------------------------------------------

#[tokio::test]
async fn what_a_newer_server_says_is_ignored() {
    let mut script = Script::serve().await;
    let playing = script.play(call_or_check, &["t"], quick());
    let mut call = script.call_at(None).await;
    let mut items = vec![snapshot("t"), v1::PlayResponseItem { table_id: "t".into(), item: None }];
    items.extend(beginning("t", 1));
    let unknown = v1::Event { kind: 99, seat: 42, cards: vec!["no card".into()], ..v1::Event::default() };
    items.push(event("t", (1, 6), v1::seen_event::Event::HandEvent(unknown)));
    let empty = v1::SeenEvent { hand: 1, number: 7, time_unix_ms: 1, event: None };
    items.push(about("t", Told::Event(empty)));
    items.push(about("", Told::Heartbeat(v1::Heartbeat { time_unix_ms: 1 })));
    items.push(about("of another stream", Told::Heartbeat(v1::Heartbeat { time_unix_ms: 1 })));
    items.push(about("t", Told::Sealed(v1::PieceSealed::default())));
    items.push(decision("t", 1, 1));
    call.tell(items);
    let propose = call.proposed("t").await;
    let ruling = v1::Ruling { reason: 99, ..refused(v1::Reason::Unspecified, None) };
    call.tell(vec![ruled("t", &propose, ruling)]);
    let again = call.proposed("t").await;
    assert_ne!(again.request_id, propose.request_id, "a reason that is not known may mean anything: it is asked again");
    call.tell(vec![end("t", StreamEndReason::TableEnded)]);
    drop(call);
    let played = &finish(playing).await[0];
    assert_eq!((played.refusals, played.resumed), (1, 0));
}

#[tokio::test]
async fn what_cannot_be_is_said_and_no_panic() {
    let cases = [
        hand_event(EventKind::Called, 7, 5, &[]),
        hand_event(EventKind::Called, 2, i64::MAX, &[]),
        hand_event(EventKind::Called, 2, -5, &[]),
        hand_event(EventKind::BoardDealt, 0, 0, &["9x"]),
        hand_event(EventKind::Discarded, 2, 0, &["2c", "2d"]),
    ];
    for case in cases {
        let mut script = Script::serve().await;
        let playing = script.play(call_or_check, &["t"], quick());
        let call = script.call_at(None).await;
        call.tell([vec![snapshot("t")], beginning("t", 1), vec![event("t", (1, 6), case)]].concat());
        assert!(matches!(failure(playing).await, Error::Broken(_)));
    }
    let mut script = Script::serve().await;
    let playing = script.play(call_or_check, &["t"], quick());
    let mut state = table_state("t");
    state.config = Some(v1::TableConfig {
        rules: Some(v1::table_config::Rules::RuleSetName("irish/of-the-future@9".into())),
        ..config()
    });
    let call = script.call_at(None).await;
    call.tell(vec![about("t", Told::Snapshot(v1::Snapshot { table: Some(state), events: Vec::new() }))]);
    assert!(matches!(failure(playing).await, Error::UnknownRules(_)));
}

// --- cancellation, bots that fail ------------------------------------------------------------------------

#[tokio::test]
async fn a_cancelled_play_ends_its_stream_and_keeps_its_seat() {
    let mut script = Script::serve().await;
    let cancel = CancellationToken::new();
    let playing = script.play(call_or_check, &["t"], Options { cancel: cancel.clone(), ..quick() });
    let mut call = script.call_at(None).await;
    call.tell(asked_at("t", 1));
    call.proposed("t").await;
    cancel.cancel();
    let played = &finish(playing).await[0];
    assert_eq!(played.reason, "");
    assert!(!matches!(within(call.requests.message()).await, Ok(Some(_))), "the stream is cancelled");
    assert!(script.unary.try_recv().is_err(), "nobody leaves");
}

#[tokio::test]
async fn a_play_is_cancelled_while_the_server_is_away_too() {
    let mut script = Script::serve().await;
    let cancel = CancellationToken::new();
    let backoff = Backoff { first: Duration::from_secs(3600), most: Duration::from_secs(3600), tries: 30 };
    let lost = cancel.clone();
    // Cancelled as soon as it is about to wait for an hour.
    let notice = Arc::new(move |_: &Notice| lost.cancel());
    let playing = script.play(call_or_check, &["t"], Options { cancel, backoff, notice, ..quick() });
    script.call_at(None).await.fail(Status::unavailable("away"));
    assert_eq!(finish(playing).await[0].reason, "");
}

#[tokio::test]
async fn a_play_that_is_dropped_ends_its_stream_and_its_bot() {
    let mut script = Script::serve().await;
    let (alive, gone) = std::sync::mpsc::channel::<()>();
    let bot = move |decision: &Decision| {
        let _ = &alive;
        decision.check_or_call()
    };
    let playing = script.play(bot, &["t"], quick());
    let mut call = script.call_at(None).await;
    playing.abort();
    assert!(!matches!(within(call.requests.message()).await, Ok(Some(_))), "the stream is cancelled");
    let ended = tokio::task::spawn_blocking(move || gone.recv()).await.expect("no panic");
    assert!(ended.is_err(), "the bot's thread has ended");
}

#[tokio::test]
async fn a_bot_that_panics_ends_the_play_with_its_panic() {
    let mut script = Script::serve().await;
    let playing = script.play(|_: &Decision| -> Action { panic!("a bot's own fault") }, &["t"], quick());
    let call = script.call_at(None).await;
    call.tell(asked_at("t", 1));
    let panicked = playing.await.expect_err("a panic").into_panic();
    assert_eq!(panicked.downcast_ref::<&str>(), Some(&"a bot's own fault"));
}

// --- seats -----------------------------------------------------------------------------------------------

#[tokio::test]
async fn a_table_is_left_after_so_many_hands() {
    let mut script = Script::serve().await;
    let playing = script.play(fold_always, &["t"], Options { hands: 1, ..quick() });
    let mut call = script.call_at(None).await;
    call.tell([vec![snapshot("t")], beginning("t", 1), folded("t", 1), beginning("t", 2)].concat());
    assert!(matches!(call.asked("t").await, Asked::Detach(_)));
    let Some(Unary::Left(left)) = within(script.unary.recv()).await else { panic!("left") };
    assert_eq!((left.table_id.as_str(), left.seat_token.as_str()), ("t", "token of t"));
    drop(call);
    let played = &finish(playing).await[0];
    assert_eq!((played.reason.as_str(), played.hands), ("DETACHED", 1));
}

/// Shows every hand.
struct Shower;

impl Bot for Shower {
    fn decide(&mut self, decision: &Decision) -> Action {
        decision.fold()
    }

    fn hand_over(&mut self, view: &HandView) -> bool {
        assert_eq!(view.net_of(view.seat), Some(-5));
        true
    }
}

#[tokio::test]
async fn a_bot_may_show_its_hand_when_it_is_over() {
    let mut script = Script::serve().await;
    let playing = script.play(Shower, &["t"], quick());
    let mut call = script.call_at(None).await;
    call.tell([vec![snapshot("t")], beginning("t", 1), folded("t", 1)].concat());
    let propose = call.proposed("t").await;
    assert!(matches!(action_of(&propose), v1::action::Action::Show(_)));
    assert_eq!(propose.proposal.expect("a proposal").hand_id, "t-1");
    call.tell(vec![end("t", StreamEndReason::TableEnded)]);
    drop(call);
    finish(playing).await;
}

#[tokio::test]
async fn a_seat_commits_to_a_seed_and_reveals_it_when_all_have() {
    let mut script = Script::serve().await;
    let wish = SeatRequest { own_seed: OwnSeed::Given([7; 32]), posts: true, ..SeatRequest::named("mine") };
    let seat = take_seat(&script.server, "t", wish).await.expect("a seat");
    assert_eq!((seat.number, seat.hand, seat.seed.as_slice()), (2, Some(0), [7; 32].as_slice()));
    assert!(!format!("{seat:?}").contains("token"), "secrets are not shown");
    let Some(Unary::Taken(taken)) = within(script.unary.recv()).await else { panic!("taken") };
    assert_eq!((taken.name.as_str(), taken.seat, taken.commits_seed, taken.posts), ("mine", 0, true, true));
    assert!(taken.request_id.len() >= 16);
    let Some(Unary::Committed(committed)) = within(script.unary.recv()).await else { panic!("committed") };
    let expected = commit_seat("match", 2, &[7; 32], &table_state("t").deal_commitment).expect("a commitment");
    assert_eq!(committed.commitment, expected);

    let playing = script.play_seats(fold_always, vec![seat], quick());
    let call = script.call_at(Some((0, 0))).await;
    let closed = v1::CommitmentsClosed { seats: vec![1, 2], ..v1::CommitmentsClosed::default() };
    let opened =
        v1::seen_event::Event::Opened(v1::TableOpened { config: Some(config()), ..v1::TableOpened::default() });
    let closed = v1::seen_event::Event::CommitmentsClosed(closed);
    call.tell(vec![snapshot("t"), event("t", (0, 1), opened), event("t", (0, 2), closed)]);
    let Some(Unary::Revealed(revealed)) = within(script.unary.recv()).await else { panic!("revealed") };
    assert_eq!((revealed.seat_token.as_str(), revealed.seed.as_slice()), ("token of t", [7; 32].as_slice()));
    call.tell(vec![end("t", StreamEndReason::TableEnded)]);
    drop(call);
    finish(playing).await;
}

#[tokio::test]
async fn a_seat_that_commits_too_late_takes_no_part() {
    let script = Script::serve_with(true).await;
    let seat = take_seat(&script.server, "t", SeatRequest::named("mine")).await.expect("a seat");
    assert!(seat.seed.is_empty());
}

#[tokio::test]
async fn a_call_that_was_lost_is_made_again_under_its_id_and_one_that_was_refused_is_not() {
    let mut script = Script::serve().await;
    sit_out(&script.server, "t", "token").await.expect("sits out");
    let Some(Unary::SatOut(first)) = within(script.unary.recv()).await else { panic!("sits out") };
    let Some(Unary::SatOut(again)) = within(script.unary.recv()).await else { panic!("sits out") };
    assert_eq!(first, again);
    sit_in(&script.server, "t", "token", true).await.expect("sits in");
    let Some(Unary::SatIn(sat_in)) = within(script.unary.recv()).await else { panic!("sits in") };
    assert!(sat_in.posts && sat_in.request_id != first.request_id);
    let refused = top_up(&script.server, "t", "token", 500).await;
    assert!(matches!(refused, Err(Error::Refused(status)) if status.code() == Code::FailedPrecondition));
    let Some(Unary::ToppedUp(topped_up)) = within(script.unary.recv()).await else { panic!("tops up") };
    assert_eq!(topped_up.to, 500);
}
