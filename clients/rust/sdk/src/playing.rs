//! Playing one or many tables over one stream until each has ended, resuming when the connection is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

use crate::bot::{Bot, Said, Thinking, Work};
use crate::connecting::{Backoff, MESSAGE_BYTES, Retry, Server, may_be_tried_again};
use crate::error::Error;
use crate::follower::{Follower, Outcome, Played, Stop};
use crate::tables::{Seat, leave_seat_with, reveal_seed};
use crate::v1;
use crate::v1::StreamEndReason;
use crate::v1::table_service_client::TableServiceClient;

/// How many items a message may carry.
const ITEMS_IN_A_MESSAGE: usize = 1024;

/// How long a stream that has ended may take to close.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// Something that whoever watches a bot may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The stream was lost; it is tried again after a while.
    Lost {
        /// How it was lost.
        why: String,
        /// How long is waited.
        wait: Duration,
    },
    /// A table is to be attached again.
    Interrupted {
        /// The table.
        table_id: String,
        /// The reason as the contract numbers it.
        reason: i32,
    },
    /// A table has ended.
    Ended {
        /// The table.
        table_id: String,
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Lost { why, wait } => write!(formatter, "lost ({why}), again in {} ms", wait.as_millis()),
            Notice::Interrupted { table_id, reason } => {
                let name = StreamEndReason::try_from(*reason).map_or("not known", |reason| reason.as_str_name());
                write!(formatter, "{table_id}: interrupted, {name} ({reason})")
            }
            Notice::Ended { table_id, reason } => write!(formatter, "{table_id}: ended, {reason}"),
        }
    }
}

/// How to play. The default suits a bot at one table.
#[derive(Clone)]
pub struct Options {
    /// Leave a table after so many hands; 0 plays until it ends.
    pub hands: u64,
    /// How many tables may ask at once; the clocks of further ones stand still.
    pub max_open_decisions: i32,
    /// How often a refused bot is asked the same decision again; then it is answered with check, else fold, else a
    /// discard of the cards dealt last.
    pub max_refusals: u32,
    /// A stream on which nothing came for so long is lost. The server says something every 10 s.
    pub silence: Duration,
    /// How long to wait before a lost connection is tried again.
    pub backoff: Backoff,
    /// Ends the play when it is cancelled; the seats stay taken. Dropping the play's future does the same.
    pub cancel: CancellationToken,
    /// Is told what whoever watches the bot may want to know.
    pub notice: Arc<dyn Fn(&Notice) + Send + Sync>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hands: 0,
            max_open_decisions: 1,
            max_refusals: 3,
            silence: Duration::from_secs(30),
            backoff: Backoff::default(),
            cancel: CancellationToken::new(),
            notice: Arc::new(|_| {}),
        }
    }
}

/// Plays seats of different tables over one stream until each has ended, and says how it went, in the order of the seats.
///
/// Fails when the server stays away, does not keep to the contract, or refuses for good. Panics as the bot panics.
pub async fn play(server: &Server, bot: impl Bot, seats: &[Seat], options: Options) -> Result<Vec<Played>, Error> {
    let mut session = Session::new(server, seats, options)?;
    session.run(bot).await?;
    Ok(session.played())
}

/// Seats that are played over one stream; see [`play`]. It can be asked how it went even after a failure.
pub struct Session {
    server: Server,
    options: Options,
    followers: Vec<Follower>,
    by_table: BTreeMap<String, usize>,
    /// Tables to be attached again on a stream that goes on for others, and when.
    interrupted: BTreeMap<usize, Instant>,
    leaving: BTreeSet<usize>,
    /// Calls beside the stream; the number is that of a table that was left.
    calls: JoinSet<Result<Option<usize>, Error>>,
}

/// What came of a connection.
enum Connection {
    /// It was lost, and can be resumed.
    Lost(String),
    /// Every table has ended, or the play was cancelled.
    Done,
}

/// What is to be done about a message.
#[derive(Default)]
struct ToDo {
    items: Vec<v1::PlayRequestItem>,
    work: Vec<Work>,
}

impl Session {
    /// Prepares to play; fails for two seats of one table, which need a stream each.
    pub fn new(server: &Server, seats: &[Seat], options: Options) -> Result<Self, Error> {
        let followers: Vec<Follower> = seats.iter().map(|seat| Follower::new(seat, options.max_refusals)).collect();
        let by_table: BTreeMap<String, usize> = seats.iter().map(|seat| seat.table_id.clone()).zip(0..).collect();
        if by_table.len() != seats.len() {
            let why = "one stream plays one seat of a table; use a stream for each seat";
            return Err(Error::Usage(why.to_owned()));
        }
        Ok(Self {
            server: server.clone(),
            options,
            followers,
            by_table,
            interrupted: BTreeMap::new(),
            leaving: BTreeSet::new(),
            calls: JoinSet::new(),
        })
    }

    /// How it went so far, in the order of the seats.
    pub fn played(&self) -> Vec<Played> {
        self.followers.iter().map(|follower| follower.played.clone()).collect()
    }

    /// Plays until every seat has ended or the play is cancelled.
    pub async fn run(&mut self, bot: impl Bot) -> Result<(), Error> {
        let mut thinking = Thinking::start(bot);
        let mut retry = Retry::new(self.options.backoff);
        while self.is_playing() {
            let (heard, moved) = self.received();
            let Connection::Lost(why) = self.connection(&mut thinking).await? else {
                break;
            };
            let (now_heard, now_moved) = self.received();
            let wait = retry.failed(&why, now_heard > heard, now_moved > moved)?;
            (self.options.notice)(&Notice::Lost { why, wait });
            if self.waited(wait).await? {
                break;
            }
        }
        self.calls.abort_all();
        Ok(())
    }

    fn is_playing(&self) -> bool {
        self.followers.iter().any(|follower| !follower.over)
    }

    fn received(&self) -> (u64, u64) {
        let sum = |count: fn(&Follower) -> u64| self.followers.iter().map(count).sum();
        (sum(|follower| follower.snapshots), sum(|follower| follower.events))
    }

    /// Waits, and takes notice of calls that end meanwhile; whether the play was cancelled.
    async fn waited(&mut self, wait: Duration) -> Result<bool, Error> {
        let until = Instant::now() + wait;
        loop {
            if !self.is_playing() {
                return Ok(false);
            }
            tokio::select! {
                () = self.options.cancel.cancelled() => return Ok(true),
                () = sleep_until(until) => return Ok(false),
                Some(ended) = self.calls.join_next() => { self.called(ended)?; }
            }
        }
    }

    // --- one connection ----------------------------------------------------------------------------------

    /// Plays over one stream until it ends; fails only for what no further attempt would mend.
    async fn connection(&mut self, thinking: &mut Thinking) -> Result<Connection, Error> {
        self.interrupted.clear();
        let (sending, outgoing) = unbounded_channel();
        let attached = self.followers.iter_mut().filter(|follower| !follower.over).map(Follower::attach).collect();
        send(&sending, attached, self.options.max_open_decisions);
        let server = self.server.clone();
        let opening = timeout(self.options.silence, async {
            let client = TableServiceClient::new(server.connect().await?);
            let mut client = client.max_decoding_message_size(MESSAGE_BYTES);
            client.play(UnboundedReceiverStream::new(outgoing)).await
        });
        let opened = tokio::select! {
            () = self.options.cancel.cancelled() => return Ok(Connection::Done),
            opened = opening => opened,
        };
        match opened {
            Ok(Ok(response)) => self.stream(response.into_inner(), sending, thinking).await,
            Ok(Err(status)) => lost(status),
            Err(_) => Ok(Connection::Lost(self.silence())),
        }
    }

    fn silence(&self) -> String {
        format!("silence for {} ms", self.options.silence.as_millis())
    }

    async fn stream(
        &mut self,
        mut stream: Streaming<v1::PlayResponse>,
        sending: UnboundedSender<v1::PlayRequest>,
        thinking: &mut Thinking,
    ) -> Result<Connection, Error> {
        let mut silent_from = Instant::now() + self.options.silence;
        loop {
            let again = self.interrupted.values().min().copied();
            let mut to_do = ToDo::default();
            tokio::select! {
                () = self.options.cancel.cancelled() => return Ok(Connection::Done),
                // What has come goes before what is late: a process that was stopped for a while has lost nothing.
                received = timeout_at(silent_from, stream.message()) => {
                    let Ok(received) = received else {
                        return Ok(Connection::Lost(self.silence()));
                    };
                    silent_from = Instant::now() + self.options.silence;
                    match received {
                        Ok(Some(response)) => match self.received_message(&response, &mut to_do) {
                            Ok(()) => {}
                            Err(Stop::Gap(what)) => return Ok(Connection::Lost(what)),
                            Err(Stop::Fatal(error)) => return Err(error),
                        },
                        Ok(None) => return Ok(Connection::Lost("the stream ended without a word".to_owned())),
                        Err(status) => return lost(status),
                    }
                }
                said = thinking.said() => self.said(said, &mut to_do),
                Some(ended) = self.calls.join_next() => {
                    if let Some(left) = self.called(ended)? {
                        to_do.items.push(self.followers[left].detach());
                    }
                }
                () = sleep_until(again.unwrap_or(silent_from)), if again.is_some() => self.attach_again(&mut to_do),
            }
            if !to_do.work.is_empty() {
                thinking.ask(to_do.work);
            }
            send(&sending, to_do.items, 0);
            if !self.is_playing() {
                drop(sending);
                close_gently(stream).await;
                return Ok(Connection::Done);
            }
            let waits = |(table, follower): (usize, &Follower)| follower.over || self.interrupted.contains_key(&table);
            if self.followers.iter().enumerate().all(waits) {
                return Ok(Connection::Lost("every table is interrupted".to_owned()));
            }
        }
    }

    fn received_message(&mut self, response: &v1::PlayResponse, to_do: &mut ToDo) -> Result<(), Stop> {
        let now = std::time::Instant::now();
        for item in &response.items {
            for table in self.concerned(item) {
                for outcome in self.followers[table].receive(item, now)? {
                    self.follow(table, outcome, to_do);
                }
                let is_enough = self.options.hands > 0 && self.followers[table].played.hands >= self.options.hands;
                if is_enough && !self.followers[table].over {
                    self.leave(table);
                }
            }
        }
        Ok(())
    }

    /// The tables that an item is about: without a table's id the whole stream, of which only an end matters.
    fn concerned(&self, item: &v1::PlayResponseItem) -> Vec<usize> {
        let is_concerned = |table: &usize| !self.followers[*table].over && !self.interrupted.contains_key(table);
        if item.table_id.is_empty() {
            let is_end = matches!(item.item, Some(v1::play_response_item::Item::End(_)));
            return if is_end { (0..self.followers.len()).filter(is_concerned).collect() } else { Vec::new() };
        }
        self.by_table.get(&item.table_id).copied().filter(is_concerned).into_iter().collect()
    }

    fn follow(&mut self, table: usize, outcome: Outcome, to_do: &mut ToDo) {
        let is_leaving = self.leaving.contains(&table);
        let follower = &self.followers[table];
        match outcome {
            Outcome::Ask(_) if is_leaving => {}
            Outcome::Ask(question) => to_do.work.push(Work::Decide(table, question)),
            Outcome::Send(propose) => to_do.items.push(follower.proposing(propose)),
            Outcome::Refused(decision, refusal) => to_do.work.push(Work::Refused(decision, refusal)),
            Outcome::HandOver(view) => to_do.work.push(Work::HandOver(table, view)),
            Outcome::Reveal(seed) => {
                let (server, backoff) = (self.server.clone(), self.options.backoff);
                let (table_id, token) = (follower.table_id.clone(), follower.seat_token.clone());
                self.calls
                    .spawn(async move { reveal_seed(&server, backoff, &table_id, &token, &seed).await.map(|()| None) });
            }
            Outcome::Interrupted(reason) => {
                (self.options.notice)(&Notice::Interrupted { table_id: follower.table_id.clone(), reason });
                self.interrupted.insert(table, Instant::now() + Retry::new(self.options.backoff).pause());
            }
            Outcome::Ended => self.tell_ended(table),
        }
    }

    fn tell_ended(&self, table: usize) {
        let played = &self.followers[table].played;
        (self.options.notice)(&Notice::Ended { table_id: played.table_id.clone(), reason: played.reason.clone() });
    }

    fn said(&mut self, said: Vec<Said>, to_do: &mut ToDo) {
        for one in said {
            match one {
                Said::Answer(table, ..) if self.leaving.contains(&table) => {}
                Said::Answer(table, asking, action) => {
                    let follower = &mut self.followers[table];
                    let answered = follower.answer(asking, &action);
                    to_do.items.extend(answered.map(|propose| follower.proposing(propose)));
                }
                Said::Show(table, view) => {
                    let follower = &mut self.followers[table];
                    let showing = follower.showing(&view);
                    to_do.items.push(follower.proposing(showing));
                }
            }
        }
    }

    // --- leaving and coming back -------------------------------------------------------------------------

    fn attach_again(&mut self, to_do: &mut ToDo) {
        let now = Instant::now();
        let due: Vec<usize> = self.interrupted.iter().filter(|(_, at)| **at <= now).map(|(&table, _)| table).collect();
        for table in due {
            self.interrupted.remove(&table);
            to_do.items.push(self.followers[table].attach());
        }
    }

    fn leave(&mut self, table: usize) {
        if !self.leaving.insert(table) {
            return;
        }
        let (server, backoff) = (self.server.clone(), self.options.backoff);
        let follower = &self.followers[table];
        let (table_id, token) = (follower.table_id.clone(), follower.seat_token.clone());
        self.calls
            .spawn(async move { leave_seat_with(&server, backoff, &table_id, &token).await.map(|()| Some(table)) });
    }

    /// Takes notice of a call that ended; the table that was left by it.
    fn called(
        &mut self,
        ended: Result<Result<Option<usize>, Error>, tokio::task::JoinError>,
    ) -> Result<Option<usize>, Error> {
        let left = match ended {
            Ok(ended) => ended?,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => None,
        };
        let left = left.filter(|&table| !self.followers[table].over);
        if let Some(table) = left {
            self.followers[table].end(StreamEndReason::Detached);
            self.tell_ended(table);
        }
        Ok(left)
    }
}

/// Sends all that is ready, in as few messages as may be. Nothing is lost with a connection: it is resumed.
fn send(sending: &UnboundedSender<v1::PlayRequest>, items: Vec<v1::PlayRequestItem>, max_open_decisions: i32) {
    for part in items.chunks(ITEMS_IN_A_MESSAGE) {
        // A stream that is gone is noticed where it is read.
        let _ = sending.send(v1::PlayRequest { items: part.to_vec(), max_open_decisions });
    }
}

/// A stream that was lost, unless the server said that it would do the same again.
fn lost(status: Status) -> Result<Connection, Error> {
    if may_be_tried_again(&status) {
        return Ok(Connection::Lost(format!("{:?}: {}", status.code(), status.message())));
    }
    Err(status.into())
}

/// Lets a stream that has nothing more to say close by itself, which leaves less behind than a cancellation.
async fn close_gently(mut stream: Streaming<v1::PlayResponse>) {
    let rest = async { while let Ok(Some(_)) = stream.message().await {} };
    tokio::select! {
        () = rest => {}
        () = sleep(CLOSING_TIME) => {}
    }
}
