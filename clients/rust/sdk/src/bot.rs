//! A bot, and the thread in which it thinks, so that no connection waits for it.

use std::panic;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::decision::{Action, Decision};
use crate::follower::Question;
use crate::hand_view::HandView;
use crate::rules::Refusal;

/// Answers decisions. Any `FnMut(&Decision) -> Action` is one.
///
/// A bot has a thread of its own, in which it may take its time. It is asked one decision after another, of all tables
/// that it plays; `decision.table_id` says which.
pub trait Bot: Send + 'static {
    /// What to do. Answers that are refused come back with `decision.refusal` set.
    fn decide(&mut self, decision: &Decision) -> Action;

    /// Hears that an answer was refused, before it is asked again.
    fn refused(&mut self, _decision: &Decision, _refusal: &Refusal) {}

    /// Hears that a hand is over; says whether to turn up one's hand (SHOW-2, SHOW-7).
    fn hand_over(&mut self, _view: &HandView) -> bool {
        false
    }
}

impl<F: FnMut(&Decision) -> Action + Send + 'static> Bot for F {
    fn decide(&mut self, decision: &Decision) -> Action {
        self(decision)
    }
}

/// What a bot is to do next, for the table of this number.
pub(crate) enum Work {
    Decide(usize, Question),
    Refused(Arc<Decision>, Refusal),
    HandOver(usize, Box<HandView>),
}

/// What a bot said, for the table of this number.
pub(crate) enum Said {
    Answer(usize, u64, Action),
    Show(usize, Box<HandView>),
}

/// Answers that are ready are not kept back longer than this by decisions that came with theirs.
const KEPT_BACK: Duration = Duration::from_millis(2);

/// A bot in its thread. Dropping it lets the thread end as soon as the bot has answered.
pub(crate) struct Thinking {
    work: UnboundedSender<Vec<Work>>,
    said: UnboundedReceiver<Vec<Said>>,
    thread: Option<JoinHandle<()>>,
}

impl Thinking {
    pub fn start(bot: impl Bot) -> Self {
        let (work, to_do) = unbounded_channel();
        let (saying, said) = unbounded_channel();
        let thread = thread::spawn(move || think(bot, to_do, &saying));
        Self { work, said, thread: Some(thread) }
    }

    /// Asks the bot, which answers what came together together where it can.
    pub fn ask(&self, work: Vec<Work>) {
        // A bot that is gone has panicked, which `said` finds out.
        let _ = self.work.send(work);
    }

    /// Everything that the bot has said since, as soon as there is something. Safe to cancel. Panics as the bot did.
    pub async fn said(&mut self) -> Vec<Said> {
        let Some(mut said) = self.said.recv().await else {
            let thread = self.thread.take().map(JoinHandle::join);
            let reason = thread.and_then(Result::err).unwrap_or_else(|| Box::new("the bot is gone"));
            panic::resume_unwind(reason);
        };
        while let Ok(more) = self.said.try_recv() {
            said.extend(more);
        }
        said
    }
}

fn think(mut bot: impl Bot, mut to_do: UnboundedReceiver<Vec<Work>>, saying: &UnboundedSender<Vec<Said>>) {
    while let Some(work) = to_do.blocking_recv() {
        let mut since = Instant::now();
        let mut ready = Vec::new();
        for one in work {
            match one {
                Work::Decide(table, Question { asking, decision }) => {
                    ready.push(Said::Answer(table, asking, bot.decide(&decision)));
                }
                Work::Refused(decision, refusal) => bot.refused(&decision, &refusal),
                Work::HandOver(table, view) => {
                    if bot.hand_over(&view) {
                        ready.push(Said::Show(table, view));
                    }
                }
            }
            if since.elapsed() >= KEPT_BACK && !ready.is_empty() {
                let _ = saying.send(std::mem::take(&mut ready));
                since = Instant::now();
            }
            if saying.is_closed() {
                return; // nobody waits for the rest
            }
        }
        if !ready.is_empty() {
            let _ = saying.send(ready);
        }
    }
}
