//! A bot as a program: the command line that the example bots of all languages share.

use std::env;
use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::bot::Bot;
use crate::connecting::Server;
use crate::error::Error;
use crate::follower::Played;
use crate::playing::{Options, Session};
use crate::tables::{Seat, SeatRequest, take_seat};

const USAGE: &str = "\
usage: BOT --seat TABLE=TOKEN [--seat TABLE=TOKEN ...] [options]
       BOT --table ID [--name NAME] [options]
  --target HOST:PORT   the server (REFEREE_TARGET; 127.0.0.1:50051)
  --seat TABLE=TOKEN   a seat that was taken (REFEREE_SEATS, comma separated)
  --table ID           take the first free seat of this table
  --name NAME          what the bot is called there
  --bot NAME           which strategy
  --hands N            leave a table after so many hands; 0 plays until it ends
  --max-open N         how many tables may ask at once (1)
  --tls-ca FILE        PEM file of the authority to trust; turns TLS on
  --heartbeat-ms N     silence after which the stream is lost (30000)
  --backoff-ms N       first wait before a lost connection is tried again (200)";

/// What a bot's command line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The server's address.
    pub target: String,
    /// Seats that were taken: table and token.
    pub seats: Vec<(String, String)>,
    /// A table to sit down at.
    pub table: Option<String>,
    /// What the bot is called there.
    pub name: String,
    /// Which strategy.
    pub bot: Option<String>,
    /// Leave after so many hands; 0 plays until the table ends.
    pub hands: u64,
    /// How many tables may ask at once.
    pub max_open: i32,
    /// PEM file of the authority to trust.
    pub tls_ca: Option<String>,
    /// Silence after which the stream is lost, in milliseconds.
    pub heartbeat_ms: u64,
    /// The first wait before a lost connection is tried again, in milliseconds.
    pub backoff_ms: u64,
}

impl Arguments {
    /// Reads a command line without the program's name; `variable` gives the environment.
    pub fn parse(
        words: impl IntoIterator<Item = String>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let mut parsed = Self {
            target: variable("REFEREE_TARGET").unwrap_or_else(|| "127.0.0.1:50051".to_owned()),
            seats: Vec::new(),
            table: None,
            name: "rust".to_owned(),
            bot: None,
            hands: 0,
            max_open: 1,
            tls_ca: None,
            heartbeat_ms: 30_000,
            backoff_ms: 200,
        };
        let mut words = words.into_iter();
        while let Some(flag) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{flag} needs a value"));
            match flag.as_str() {
                "--target" => parsed.target = value()?,
                "--seat" => parsed.seats.push(seat(&value()?)?),
                "--table" => parsed.table = Some(value()?),
                "--name" => parsed.name = value()?,
                "--bot" => parsed.bot = Some(value()?),
                "--hands" => parsed.hands = number(&flag, &value()?)?,
                "--max-open" => parsed.max_open = number(&flag, &value()?)?,
                "--tls-ca" => parsed.tls_ca = Some(value()?),
                "--heartbeat-ms" => parsed.heartbeat_ms = number(&flag, &value()?)?,
                "--backoff-ms" => parsed.backoff_ms = number(&flag, &value()?)?,
                _ => return Err(format!("{flag} is not known")),
            }
        }
        if parsed.seats.is_empty() && parsed.table.is_none() {
            let seats = variable("REFEREE_SEATS").unwrap_or_default();
            parsed.seats = seats.split(',').filter(|one| !one.trim().is_empty()).map(seat).collect::<Result<_, _>>()?;
        }
        match (parsed.seats.is_empty(), parsed.table.is_none()) {
            (true, true) => Err("neither a seat nor a table".to_owned()),
            (false, false) => Err("--seat and --table exclude each other".to_owned()),
            _ => Ok(parsed),
        }
    }

    fn server(&self) -> Result<Server, Error> {
        match &self.tls_ca {
            None => Server::plain(&self.target),
            Some(path) => {
                let ca = fs::read(path).map_err(|error| Error::Usage(format!("cannot read {path}: {error}")))?;
                Server::tls(&self.target, &ca)
            }
        }
    }

    fn options(&self) -> Options {
        let mut options = Options {
            hands: self.hands,
            max_open_decisions: self.max_open,
            silence: Duration::from_millis(self.heartbeat_ms),
            notice: Arc::new(|notice| eprintln!("{notice}")),
            ..Options::default()
        };
        options.backoff.first = Duration::from_millis(self.backoff_ms);
        options
    }
}

fn seat(text: &str) -> Result<(String, String), String> {
    let parts = text.trim().split_once('=').filter(|(table, token)| !table.is_empty() && !token.is_empty());
    let (table, token) = parts.ok_or("a seat is given as TABLE=TOKEN")?;
    Ok((table.to_owned(), token.to_owned()))
}

fn number<T: TryFrom<u64>>(flag: &str, text: &str) -> Result<T, String> {
    let number: Option<u64> = text.parse().ok();
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| format!("{flag} {text:?} is not such a number"))
}

/// Plays as the command line says and prints one line of JSON for each table.
///
/// `bot` makes the bot. Exit code 0: every table ended, or `--hands` was reached; 1: not; 2: the command line is wrong.
pub fn main<B: Bot>(bot: impl FnOnce(&Arguments) -> Result<B, String>) -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let parsed = Arguments::parse(words, |name| env::var(name).ok());
    let (arguments, bot) = match parsed.and_then(|arguments| bot(&arguments).map(|bot| (arguments, bot))) {
        Ok(both) => both,
        Err(fault) => {
            eprintln!("{fault}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime
        .map_err(|error| Error::Usage(error.to_string()))
        .and_then(|runtime| runtime.block_on(run(&arguments, bot)))
    {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: &Arguments, bot: impl Bot) -> Result<ExitCode, Error> {
    let server = arguments.server()?;
    let seats = match &arguments.table {
        Some(table) => vec![take_seat(&server, table, SeatRequest::named(&arguments.name)).await?],
        None => arguments.seats.iter().map(|(table, token)| Seat::known(table, token)).collect(),
    };
    let mut session = Session::new(&server, &seats, arguments.options())?;
    let failed = session.run(bot).await.err();
    if let Some(error) = &failed {
        eprintln!("{error}");
    }
    let mut is_whole = failed.is_none();
    for mut played in session.played() {
        if let (true, Some(error)) = (played.reason.is_empty(), &failed) {
            played.reason = name_of(error).to_owned();
        }
        is_whole &= played.reason == "TABLE_ENDED" || (arguments.hands > 0 && played.hands >= arguments.hands);
        println!("{}", line(&played));
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Why a table that did not end is not played on.
fn name_of(error: &Error) -> &'static str {
    match error {
        Error::Refused(_) | Error::Setup { .. } => "REFUSED",
        Error::ConnectionLost(_) => "CONNECTION_LOST",
        Error::Broken(_) => "BROKEN_STREAM",
        Error::UnknownRules(_) => "UNKNOWN_RULES",
        Error::Usage(_) => "USAGE",
    }
}

fn line(played: &Played) -> String {
    let text = |some: &str| serde_json::Value::from(some).to_string();
    format!(
        r#"{{"table": {}, "reason": {}, "hands": {}, "decisions": {}, "refusals": {}, "resumed": {}, "deals_checked": {}, "deal_fault": {}}}"#,
        text(&played.table_id),
        text(&played.reason),
        played.hands,
        played.decisions,
        played.refusals,
        played.resumed,
        played.deals_checked,
        text(&played.deal_fault),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str, variables: &[(&str, &str)]) -> Result<Arguments, String> {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Arguments::parse(words.split_whitespace().map(str::to_owned), variable)
    }

    #[test]
    fn flags_go_before_the_environment() {
        let variables = [("REFEREE_TARGET", "there:1"), ("REFEREE_SEATS", "a=1, b=2=3,")];
        let parsed = parse("", &variables).expect("the environment has seats");
        assert_eq!(parsed.target, "there:1");
        assert_eq!(parsed.seats, [("a".into(), "1".into()), ("b".into(), "2=3".into())]);
        let parsed =
            parse("--target here:2 --seat c=4 --hands 7 --max-open 9 --heartbeat-ms 50 --backoff-ms 3", &variables)
                .expect("flags are enough");
        assert_eq!((parsed.target.as_str(), parsed.hands, parsed.max_open), ("here:2", 7, 9));
        assert_eq!(parsed.seats, [("c".into(), "4".into())]);
        assert_eq!((parsed.heartbeat_ms, parsed.backoff_ms), (50, 3));
        assert_eq!(parse("--table t", &variables).expect("a table").seats, []);
    }

    #[test]
    fn a_wrong_command_line_is_refused() {
        for words in [
            "",
            "--seat",
            "--seat a",
            "--seat =a",
            "--table t --seat a=b",
            "--hands x --table t",
            "--max-open -1 --table t",
            "--what",
        ] {
            assert!(parse(words, &[]).is_err(), "{words}");
        }
    }

    #[test]
    fn a_line_is_json_whatever_its_texts_are() {
        let played = Played { table_id: "a\"b\\".into(), reason: "TABLE_ENDED".into(), hands: 3, ..Played::default() };
        let value: serde_json::Value = serde_json::from_str(&line(&played)).expect("JSON");
        assert_eq!((value["table"].as_str(), value["hands"].as_u64()), (Some("a\"b\\"), Some(3)));
    }
}
