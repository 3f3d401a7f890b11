//! Checkpoints: the head of a log as a note's text (C2SP tlog-checkpoint).

use super::{LogError, decode_base64, encode_base64, note_fault};
use crate::merkle::{self, Hash, hex};

/// A log's name, how many records it has, and the root of the tree over them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name, its *origin*.
    pub origin: String,
    /// How many records it has.
    pub size: u64,
    /// The root of the tree over them.
    pub root: Hash,
    /// Further lines, of which nothing is known.
    pub extensions: Vec<String>,
}

impl Checkpoint {
    /// Reads a note's text; fails with the line. It has one spelling.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let Some(ended) = text.strip_suffix('\n') else {
            return note_fault(text.split('\n').count(), "the last line has no end");
        };
        let lines: Vec<&str> = ended.split('\n').collect();
        let [origin, size, encoded, extensions @ ..] = lines.as_slice() else {
            return note_fault(lines.len() + 1, "expected a log's name, a size and a root");
        };
        let has_control = |line: &str| line.chars().any(|letter| letter < ' ');
        if origin.is_empty() || has_control(origin) {
            return note_fault(1, format!("{origin:?} is no name of a log: one line that is not empty"));
        }
        let is_canonical = size.bytes().all(|digit| digit.is_ascii_digit()) && (*size == "0" || !size.starts_with('0'));
        let size = match size.parse::<i64>() {
            Ok(number) if is_canonical => number.unsigned_abs(),
            _ => return note_fault(2, format!("{size:?} is not a size: digits without a leading zero")),
        };
        let root = decode_base64(encoded).or_else(|fault| note_fault(3, fault))?;
        let Ok(root) = Hash::try_from(root.as_slice()) else {
            return note_fault(3, format!("a root of {} bytes; expected 32", root.len()));
        };
        if size == 0 && root != merkle::empty_root() {
            return note_fault(3, "a log without records has another root");
        }
        for (line, extension) in (4..).zip(extensions) {
            if extension.is_empty() || has_control(extension) {
                return note_fault(line, format!("{extension:?} is no further line: one line that is not empty"));
            }
        }
        let extensions = extensions.iter().map(|&line| line.to_owned()).collect();
        Ok(Self { origin: (*origin).to_owned(), size, root, extensions })
    }

    /// The note's text, ending with a newline.
    pub fn text(&self) -> String {
        let further: String = self.extensions.iter().map(|line| format!("{line}\n")).collect();
        format!("{}\n{}\n{}\n{further}", self.origin, self.size, encode_base64(&self.root))
    }
}

/// Checks that the new head's log begins with the known one's records; the proof is that of consistency.
pub fn check_growth(known: &Checkpoint, new: &Checkpoint, proof: &[Hash]) -> Result<(), LogError> {
    let split = |text: String| Err(LogError::SplitView(text));
    if new.origin != known.origin {
        return split(format!("a head of log {:?}, not {:?}", new.origin, known.origin));
    }
    if new.size < known.size {
        return split(format!("a head of {} records; {} are known", new.size, known.size));
    }
    if new.size == known.size && new.root != known.root {
        return split(format!("two heads of {} records: roots {} and {}", new.size, hex(&known.root), hex(&new.root)));
    }
    merkle::verify_consistency(known.size, &known.root, new.size, &new.root, proof).or_else(|error| {
        split(format!("the head of {} records does not go on from that of {}: {error}", new.size, known.size))
    })
}
