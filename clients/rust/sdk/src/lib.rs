//! Client of the Irish poker referee: a bot is one function from a [`Decision`] to an [`Action`].
//!
//! ```no_run
//! use referee_client::{Decision, Options, SeatRequest, Server, play, take_seat};
//!
//! # async fn example() -> Result<(), referee_client::Error> {
//! let server = Server::plain("127.0.0.1:50051")?;
//! let seat = take_seat(&server, "TABLE", SeatRequest::named("mine")).await?;
//! let played = play(&server, |decision: &Decision| decision.check_or_call(), &[seat], Options::default()).await?;
//! println!("{} hands, {}", played[0].hands, played[0].reason);
//! # Ok(())
//! # }
//! ```
//!
//! [`program::main`] makes a program of a bot. [`deals`] rebuilds decks, [`log`] checks the log of records.

pub mod cards;
pub mod deals;
pub mod log;
pub mod merkle;
pub mod program;
pub mod rules;

/// The contract's messages and services, generated from `proto/`.
#[allow(missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
#[rustfmt::skip]
pub mod v1;

mod bot;
mod connecting;
mod decision;
mod error;
mod follower;
mod hand_view;
mod playing;
mod tables;

#[cfg(test)]
mod scripted;
#[cfg(test)]
mod vectors;

pub use bot::Bot;
pub use connecting::{Backoff, Server};
pub use decision::{Action, Decision, PlayerView};
pub use error::{Broken, Error};
pub use follower::Played;
pub use hand_view::HandView;
pub use playing::{Notice, Options, Session, play};
pub use rules::{LegalOptions, Refusal};
pub use tables::{
    OwnSeed, Seat, SeatRequest, close_table, create_table, leave_seat, sit_in, sit_out, table_state, take_seat, top_up,
};
/// Cancels a play, see [`Options`].
pub use tokio_util::sync::CancellationToken;
