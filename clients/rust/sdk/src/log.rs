//! The signed log of records: checkpoints as signed notes, the keys that one believes, and the check of one's own hands.
//!
//! `docs/signed-log.md` says what it proves, and what not. Every note, key and checkpoint has one spelling; any other is
//! refused with its line.

use std::fmt;

mod checkpoint;
mod keys;
mod note;
mod piece;

pub use checkpoint::{Checkpoint, check_growth};
pub use keys::{KeyRing, SignatureKind, Signed, TrustedKey, VerifiedCheckpoint, VerifierKey, verify_checkpoint};
pub use note::{Note, NoteSignature};
pub use piece::{SealedPiece, check_hand_in_log, verify_piece};

/// A note, key or checkpoint that is not believed; the text says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogError {
    /// A note or checkpoint that cannot be read; lines count from 1.
    NoteFormat {
        /// The line.
        line: usize,
        /// What is the matter with it.
        message: String,
    },
    /// A key, or a key's name, that cannot be used.
    KeyFormat(String),
    /// A signature by a known key that does not verify: the note was altered, or signed by somebody else.
    Signature(String),
    /// No signature by a known key of the log.
    Untrusted(String),
    /// Signed by known keys of the log, but outside the time or the sizes for which they are valid.
    KeyValidity(String),
    /// Fewer witnesses have cosigned than are asked for.
    Quorum(String),
    /// Two heads of one log that cannot both be true.
    SplitView(String),
    /// A piece of a record that is not proved to be in the log, or is another one than was asked for.
    Piece(String),
}

impl fmt::Display for LogError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::NoteFormat { line, message } => write!(formatter, "line {line}: {message}"),
            LogError::KeyFormat(text)
            | LogError::Signature(text)
            | LogError::Untrusted(text)
            | LogError::KeyValidity(text)
            | LogError::Quorum(text)
            | LogError::SplitView(text)
            | LogError::Piece(text) => formatter.write_str(text),
        }
    }
}

impl std::error::Error for LogError {}

fn note_fault<T>(line: usize, message: impl Into<String>) -> Result<T, LogError> {
    Err(LogError::NoteFormat { line, message: message.into() })
}

fn key_fault<T>(message: impl Into<String>) -> Result<T, LogError> {
    Err(LogError::KeyFormat(message.into()))
}

/// Reads standard base64; any other spelling of the same bytes is refused, so that no two texts mean the same.
fn decode_base64(text: &str) -> Result<Vec<u8>, String> {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.decode(text).map_err(|_| format!("{text:?} is not the usual base64"))
}

fn encode_base64(some: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(some)
}
