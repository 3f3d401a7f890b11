//! Signed notes: a text, an empty line, and lines of signatures (C2SP signed-note).

use super::keys::{KEY_ID_BYTES, check_name};
use super::{LogError, decode_base64, encode_base64, note_fault};

const MAX_NOTE_BYTES: usize = 256 * 1024;
const MAX_SIGNATURES: usize = 64;
const START: &str = "\u{2014} ";

/// One line of a note: who says that he signed, the id of his key, the signature's bytes. Nothing is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    /// The key's name.
    pub name: String,
    /// Four bytes that tell keys of one name apart.
    pub key_id: [u8; KEY_ID_BYTES],
    /// The signature.
    pub signature: Vec<u8>,
}

/// A text, which ends with a newline, and its signatures. Nothing in it may be believed before they are verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The text.
    pub text: String,
    /// The signatures.
    pub signatures: Vec<NoteSignature>,
}

impl Note {
    /// Reads a note; fails with the line. One note has one spelling: any other is refused.
    pub fn parse(data: &[u8]) -> Result<Self, LogError> {
        let text = decoded(data)?;
        let lines_before = |end: usize| text[..end].matches('\n').count();
        if !text.ends_with('\n') {
            return note_fault(lines_before(text.len()) + 1, "the last line has no end");
        }
        let Some(split) = text.rfind("\n\n") else {
            return note_fault(lines_before(text.len()) + 1, "no empty line between text and signatures");
        };
        let first = lines_before(split + 2) + 1;
        let lines: Vec<&str> = text[split + 2..].split_terminator('\n').collect();
        if lines.is_empty() {
            return note_fault(first, "no signature after the last empty line");
        }
        if lines.len() > MAX_SIGNATURES {
            return note_fault(first + MAX_SIGNATURES, format!("more than {MAX_SIGNATURES} signatures"));
        }
        let signatures =
            (first..).zip(&lines).map(|(number, line)| signature(number, line)).collect::<Result<_, _>>()?;
        Ok(Self { text: text[..=split].to_owned(), signatures })
    }

    /// The note's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let line = |one: &NoteSignature| {
            let encoded = encode_base64(&[one.key_id.as_slice(), &one.signature].concat());
            format!("{START}{} {encoded}\n", one.name)
        };
        format!("{}\n{}", self.text, self.signatures.iter().map(line).collect::<String>()).into_bytes()
    }
}

fn decoded(data: &[u8]) -> Result<&str, LogError> {
    if data.len() > MAX_NOTE_BYTES {
        return note_fault(1, format!("a note of {} bytes; expected at most {MAX_NOTE_BYTES}", data.len()));
    }
    let line_of = |end: usize| data[..end].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let text = match str::from_utf8(data) {
        Ok(text) => text,
        Err(error) => return note_fault(line_of(error.valid_up_to()), "not UTF-8"),
    };
    match text.find(|letter: char| letter < ' ' && letter != '\n') {
        Some(at) => note_fault(line_of(at), "a control character"),
        None => Ok(text),
    }
}

fn signature(number: usize, line: &str) -> Result<NoteSignature, LogError> {
    let Some(rest) = line.strip_prefix(START) else {
        return note_fault(number, "a signature begins with an em dash and a space");
    };
    let Some((name, encoded)) = rest.split_once(' ') else {
        return note_fault(number, "expected a key's name, a space, and a signature");
    };
    check_name(name).or_else(|fault| note_fault(number, fault.to_string()))?;
    let raw = decode_base64(encoded).or_else(|fault| note_fault(number, fault))?;
    match raw.split_first_chunk() {
        Some((key_id, signature)) if !signature.is_empty() => {
            Ok(NoteSignature { name: name.to_owned(), key_id: *key_id, signature: signature.to_vec() })
        }
        _ => note_fault(number, format!("{} bytes are too few for a key's id and a signature", raw.len())),
    }
}
