//! What can go wrong, apart from refusals, which are answers.

use std::fmt;

/// The server does not keep to the contract, so that a table cannot be followed. The text says where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken(pub String);

impl fmt::Display for Broken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

/// Why a call or a play ended early.
#[derive(Debug)]
pub enum Error {
    /// The server refused a call, and would refuse it again.
    Refused(Box<tonic::Status>),
    /// The rules do not allow such a table; the rule's id and a sentence.
    Setup {
        /// The rule that decides it.
        rule: String,
        /// Why, in a sentence.
        message: String,
    },
    /// The server stayed out of reach, or kept ending the stream, for as often as was to be tried. The text says what
    /// happened last.
    ConnectionLost(String),
    /// The server does not keep to the contract.
    Broken(Broken),
    /// A rule set or a game that this version does not have.
    UnknownRules(String),
    /// An address, certificate or argument that cannot be used.
    Usage(String),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(status) => write!(formatter, "{:?}: {}", status.code(), status.message()),
            Error::Setup { rule, message } => write!(formatter, "{rule}: {message}"),
            Error::ConnectionLost(why) => write!(formatter, "connection lost: {why}"),
            Error::Broken(broken) => write!(formatter, "the server breaks the contract: {broken}"),
            Error::UnknownRules(why) => write!(formatter, "{why}"),
            Error::Usage(why) => write!(formatter, "{why}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Broken> for Error {
    fn from(broken: Broken) -> Self {
        Error::Broken(broken)
    }
}

impl From<tonic::Status> for Error {
    fn from(status: tonic::Status) -> Self {
        Error::Refused(Box::new(status))
    }
}
