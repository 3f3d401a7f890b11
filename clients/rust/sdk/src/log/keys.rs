//! Which keys are believed when, and what they make of a signed checkpoint.

use std::collections::BTreeSet;

use ring::signature::{ED25519, UnparsedPublicKey};

use super::checkpoint::Checkpoint;
use super::note::{Note, NoteSignature};
use super::{LogError, decode_base64, encode_base64, key_fault};
use crate::merkle::{hex, sha256};

pub(super) const KEY_ID_BYTES: usize = 4;
const KEY_BYTES: usize = 32;
const SIGNATURE_BYTES: usize = 64;
const MAX_NAME_LETTERS: usize = 255;
const MAX_KEYS: usize = 1024;

/// What a signature says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureKind {
    /// Ed25519 over the note's text: this is the log's head.
    Note = 0x01,
    /// Ed25519 over the text and the time of signing: the largest head seen by then, which fits all those before.
    Cosignature = 0x04,
}

/// A public key under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    /// The name.
    pub name: String,
    /// What its signatures say.
    pub kind: SignatureKind,
    /// The Ed25519 public key.
    pub public: [u8; KEY_BYTES],
}

impl VerifierKey {
    /// Reads a key as verifiers write it: name, id and key, parted by plus signs.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let parts: Vec<&str> = text.splitn(3, '+').collect();
        let [name, key_id, encoded] = parts.as_slice() else {
            return key_fault(format!("{text:?} is not a key; expected name+id+key"));
        };
        check_name(name)?;
        let raw = decode_base64(encoded).or_else(|fault| key_fault(format!("key {name:?}: {fault}")))?;
        let (kind, public) = match raw.split_first() {
            Some((0x01, public)) => (SignatureKind::Note, public),
            Some((0x04, public)) => (SignatureKind::Cosignature, public),
            _ => return key_fault(format!("key {name:?}: the type of its signatures is not known")),
        };
        let Ok(public) = public.try_into() else {
            return key_fault(format!("key {name:?}: {} bytes; expected {KEY_BYTES}", public.len()));
        };
        let key = Self { name: (*name).to_owned(), kind, public };
        if hex(&key.key_id()) != *key_id {
            return key_fault(format!("key {name:?}: its id is {}, not {key_id}", hex(&key.key_id())));
        }
        Ok(key)
    }

    /// Four bytes that tell keys of one name apart. They are too few to identify a key: verify the signature.
    pub fn key_id(&self) -> [u8; KEY_ID_BYTES] {
        let hash = sha256(&[self.name.as_bytes(), b"\n", &[self.kind as u8], &self.public]);
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// The key as verifiers write it.
    pub fn text(&self) -> String {
        let encoded = encode_base64(&[&[self.kind as u8], self.public.as_slice()].concat());
        format!("{}+{}+{encoded}", self.name, hex(&self.key_id()))
    }

    /// Verifies a signature by this key over a text: the time that was signed, in seconds, or `None` for a kind without.
    pub fn verify(&self, text: &str, signature: &NoteSignature) -> Result<Option<u64>, LogError> {
        let who = format!("{} (key {})", self.name, hex(&self.key_id()));
        let fault = |why: String| Err(LogError::Signature(why));
        if !self.is_named_by(signature) {
            return fault(format!("signed by {} (key {}), not by {who}", signature.name, hex(&signature.key_id)));
        }
        let (time_unix_s, raw, message) = match self.kind {
            SignatureKind::Note => (None, signature.signature.as_slice(), text.to_owned()),
            SignatureKind::Cosignature => {
                let Some((time, raw)) =
                    signature.signature.split_first_chunk().filter(|(_, raw)| raw.len() == SIGNATURE_BYTES)
                else {
                    return fault(format!("{who}: a cosignature of {} bytes", signature.signature.len()));
                };
                let time_unix_s = u64::from_be_bytes(*time);
                if i64::try_from(time_unix_s).is_err() {
                    return fault(format!("{who}: time {time_unix_s} is out of range"));
                }
                (Some(time_unix_s), raw, format!("cosignature/v1\ntime {time_unix_s}\n{text}"))
            }
        };
        if raw.len() != SIGNATURE_BYTES {
            return fault(format!("{who}: a signature of {} bytes; expected {SIGNATURE_BYTES}", raw.len()));
        }
        match UnparsedPublicKey::new(&ED25519, &self.public).verify(message.as_bytes(), raw) {
            Ok(()) => Ok(time_unix_s),
            Err(_) => fault(format!("{who}: the signature does not fit the text")),
        }
    }

    fn is_named_by(&self, signature: &NoteSignature) -> bool {
        signature.name == self.name && signature.key_id == self.key_id()
    }
}

/// Fails for a name that no key can have.
pub(super) fn check_name(name: &str) -> Result<(), LogError> {
    let letters = name.chars().count();
    if !(1..=MAX_NAME_LETTERS).contains(&letters) {
        return key_fault(format!("a key's name of {letters} letters; expected 1 to {MAX_NAME_LETTERS}"));
    }
    if name.chars().any(|letter| letter.is_whitespace() || letter == '+' || letter < ' ') {
        return key_fault(format!("{name:?} is not a key's name: no spaces, plus signs and control characters"));
    }
    Ok(())
}

/// A key, and when it is valid: from a time up to another (seconds), from a size of the log up to another.
///
/// The ends themselves are outside; `None` means no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedKey {
    /// The key.
    pub key: VerifierKey,
    /// The first moment, in seconds since 1970.
    pub from_unix_s: u64,
    /// The first moment after it.
    pub until_unix_s: Option<u64>,
    /// The first size.
    pub from_size: u64,
    /// The first size after it.
    pub until_size: Option<u64>,
}

impl TrustedKey {
    /// A key that is always valid.
    pub fn always(key: VerifierKey) -> Self {
        Self { key, from_unix_s: 0, until_unix_s: None, from_size: 0, until_size: None }
    }

    /// Reads a line: a key, and pairs of a bound's name (`from_unix_s`, `until_unix_s`, `from_size`, `until_size`) and
    /// its value.
    pub fn parse(line: &str) -> Result<Self, LogError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((key, pairs)) = words.split_first() else {
            return key_fault("an empty line is no key");
        };
        let mut trusted = Self::always(VerifierKey::parse(key)?);
        let mut seen = BTreeSet::new();
        for pair in pairs.chunks(2) {
            let [name, value] = pair else {
                return key_fault(format!("{:?} has no value", pair[0]));
            };
            let digits = value.bytes().all(|digit| digit.is_ascii_digit()) && value.len() <= 19;
            let number = match value.parse::<u64>() {
                Ok(number) if digits => number,
                _ => return key_fault(format!("{name} {value:?} is not a number")),
            };
            match *name {
                _ if !seen.insert(*name) => return key_fault(format!("{name:?} is there twice")),
                "from_unix_s" => trusted.from_unix_s = number,
                "until_unix_s" => trusted.until_unix_s = Some(number),
                "from_size" => trusted.from_size = number,
                "until_size" => trusted.until_size = Some(number),
                _ => return key_fault(format!("{name:?} is no bound of a key")),
            }
        }
        let is_empty = |from: u64, until: Option<u64>| until.is_some_and(|until| until <= from);
        if is_empty(trusted.from_unix_s, trusted.until_unix_s) || is_empty(trusted.from_size, trusted.until_size) {
            return key_fault(format!("key {}: valid for no times or sizes", trusted.key.name));
        }
        Ok(trusted)
    }

    /// Whether the key is valid for a checkpoint of this size at this time.
    pub fn covers(&self, time_unix_s: u64, size: u64) -> bool {
        let within =
            |value: u64, from: u64, until: Option<u64>| from <= value && until.is_none_or(|until| value < until);
        within(time_unix_s, self.from_unix_s, self.until_unix_s) && within(size, self.from_size, self.until_size)
    }
}

/// The keys that a verifier was given for one log, its own and its witnesses'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRing {
    /// The log's name.
    pub origin: String,
    /// The log's own keys, which all bear its name.
    pub log_keys: Vec<TrustedKey>,
    /// The witnesses'.
    pub witnesses: Vec<TrustedKey>,
}

impl KeyRing {
    /// Puts keys together; fails when one is there twice, or a key of the log does not bear the log's name.
    pub fn new(origin: &str, log_keys: Vec<TrustedKey>, witnesses: Vec<TrustedKey>) -> Result<Self, LogError> {
        let mut seen = BTreeSet::new();
        for trusted in log_keys.iter().chain(&witnesses) {
            if !seen.insert((trusted.key.name.clone(), trusted.key.key_id())) {
                return key_fault(format!("key {} is there twice", trusted.key.text()));
            }
        }
        if let Some(other) = log_keys.iter().find(|trusted| trusted.key.name != origin) {
            return key_fault(format!("key {} does not bear the name of log {origin}", other.key.name));
        }
        Ok(Self { origin: origin.to_owned(), log_keys, witnesses })
    }

    /// Reads a list of keys, one a line, `#` for comments; keys that sign plainly are the log's, others witnesses'.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let (mut log_keys, mut witnesses) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let words = line.trim_start();
            if words.is_empty() || words.starts_with('#') {
                continue;
            }
            let trusted = TrustedKey::parse(line).or_else(|fault| key_fault(format!("line {number}: {fault}")))?;
            let list = if trusted.key.kind == SignatureKind::Note { &mut log_keys } else { &mut witnesses };
            list.push(trusted);
            if log_keys.len() + witnesses.len() > MAX_KEYS {
                return key_fault(format!("line {number}: more than {MAX_KEYS} keys"));
            }
        }
        match log_keys.first() {
            Some(first) => Self::new(&first.key.name.clone(), log_keys, witnesses),
            None => key_fault("no key of a log"),
        }
    }
}

/// A verified signature: its key, the time that it tells, whether the key was valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The key.
    pub key: VerifierKey,
    /// The time that was signed, in seconds; `None` for a kind that tells none.
    pub time_unix_s: Option<u64>,
    /// Whether the key was valid.
    pub valid: bool,
}

/// A checkpoint that a valid key of its log has signed, and what else is in the note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedCheckpoint {
    /// The head.
    pub checkpoint: Checkpoint,
    /// Signatures by the log's own keys.
    pub by_log: Vec<Signed>,
    /// Cosignatures by known witnesses.
    pub by_witnesses: Vec<Signed>,
    /// Those whose keys the verifier does not know: their signatures say nothing.
    pub unknown: Vec<String>,
}

impl VerifiedCheckpoint {
    /// The names of the witnesses whose valid keys have cosigned, each once, sorted.
    pub fn witnesses(&self) -> BTreeSet<&str> {
        self.by_witnesses.iter().filter(|signed| signed.valid).map(|signed| signed.key.name.as_str()).collect()
    }
}

/// Verifies a signed checkpoint of the ring's log.
///
/// `at_unix_s` is when it was made as far as the verifier knows (or now); a signature that tells its own time is judged at
/// that. `quorum` is how many different witnesses must have cosigned. It does not check that the head fits earlier ones,
/// nor that times lie in the past.
pub fn verify_checkpoint(
    data: &[u8],
    ring: &KeyRing,
    at_unix_s: u64,
    quorum: usize,
) -> Result<VerifiedCheckpoint, LogError> {
    let note = Note::parse(data)?;
    let checkpoint = Checkpoint::parse(&note.text)?;
    if checkpoint.origin != ring.origin {
        return Err(LogError::Untrusted(format!("a checkpoint of log {:?}, not {:?}", checkpoint.origin, ring.origin)));
    }
    let by_log = signed(&note, &ring.log_keys, checkpoint.size, at_unix_s)?;
    let by_witnesses = signed(&note, &ring.witnesses, checkpoint.size, at_unix_s)?;
    if by_log.is_empty() {
        return Err(LogError::Untrusted(format!("not signed by any known key of log {}", ring.origin)));
    }
    if !by_log.iter().any(|signed| signed.valid) {
        let why = format!("size {}: signed by keys of {} outside their validity", checkpoint.size, ring.origin);
        return Err(LogError::KeyValidity(why));
    }
    let is_known = |one: &NoteSignature| by_log.iter().chain(&by_witnesses).any(|signed| signed.key.is_named_by(one));
    let unknown = note.signatures.iter().filter(|one| !is_known(one)).map(|one| one.name.clone()).collect();
    let verified = VerifiedCheckpoint { checkpoint, by_log, by_witnesses, unknown };
    let witnesses = verified.witnesses().len();
    if witnesses < quorum {
        return Err(LogError::Quorum(format!("{witnesses} known witnesses have cosigned; expected {quorum}")));
    }
    Ok(verified)
}

/// The verified signatures by these keys, in the note's order; fails for one that does not fit.
fn signed(note: &Note, keys: &[TrustedKey], size: u64, at_unix_s: u64) -> Result<Vec<Signed>, LogError> {
    let mut found = Vec::new();
    for signature in &note.signatures {
        if let Some(trusted) = keys.iter().find(|trusted| trusted.key.is_named_by(signature)) {
            let time_unix_s = trusted.key.verify(&note.text, signature)?;
            let valid = trusted.covers(time_unix_s.unwrap_or(at_unix_s), size);
            found.push(Signed { key: trusted.key.clone(), time_unix_s, valid });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "referee.example/log+1b2d7c86+AS4P6Dw9DmV4hmaklhlgfNDQRuRQO/N6WyneBom+Djud";
    const WITNESS: &str = "witness.example/w1+f7158311+BAqYFwacREL41NX/kiQZvhmPYACqwM+dItLOAJ1i1NWs";

    #[test]
    fn a_list_of_keys_has_the_logs_and_the_witnesses() {
        let ring = KeyRing::parse(&format!("# keys\n\n{LOG} from_size 3 until_size 9\n {WITNESS}\n")).expect("a list");
        assert_eq!((ring.origin.as_str(), ring.log_keys.len(), ring.witnesses.len()), ("referee.example/log", 1, 1));
        let covered: Vec<bool> = [2, 3, 8, 9].iter().map(|&size| ring.log_keys[0].covers(0, size)).collect();
        assert_eq!(covered, [false, true, true, false]);
        assert!(ring.witnesses[0].covers(u64::MAX, u64::MAX));
    }

    #[test]
    fn a_wrong_list_of_keys_is_refused_with_its_line() {
        for (list, fault) in [
            (String::new(), "no key of a log"),
            (WITNESS.to_owned(), "no key of a log"),
            (format!("{LOG}\n{LOG}"), "is there twice"),
            (format!("#\n{LOG} from_size"), "line 2: \"from_size\" has no value"),
            (format!("{LOG} from_size +3"), "line 1: from_size \"+3\" is not a number"),
            (format!("{LOG} from_size 3 from_size 4"), "is there twice"),
            (format!("{LOG} from_size 3 until_size 3"), "valid for no times or sizes"),
            (format!("{LOG} of_size 3"), "is no bound of a key"),
        ] {
            let Err(LogError::KeyFormat(why)) = KeyRing::parse(&list) else { panic!("{list}") };
            assert!(why.contains(fault), "{why} for {list}");
        }
    }
}
