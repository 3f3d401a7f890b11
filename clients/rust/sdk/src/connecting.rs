//! Reaching a server: channels, what is tried again and after how long.

use std::error::Error as _;
use std::fmt;
use std::iter;
use std::time::Duration;

use ring::rand::{SecureRandom, SystemRandom};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Code, Status};

use crate::error::Error;

/// How long one call may take.
pub(crate) const CALL_TIME: Duration = Duration::from_secs(30);

/// The longest message that either side sends.
pub(crate) const MESSAGE_BYTES: usize = 4 * 1024 * 1024;

const CONNECT_TIME: Duration = Duration::from_secs(10);

/// Quiet streams are pinged, less often than the 10 s that a server allows.
const KEEPALIVE: Duration = Duration::from_secs(20);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// Where a server is and how to reach it.
#[derive(Clone)]
pub struct Server {
    endpoint: Endpoint,
}

impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Server({})", self.endpoint.uri())
    }
}

impl Server {
    /// A server at `HOST:PORT`, without TLS.
    pub fn plain(target: &str) -> Result<Self, Error> {
        Ok(Self { endpoint: endpoint("http", target)? })
    }

    /// A server at `HOST:PORT` with TLS; `ca` is the PEM certificate of the authority to trust.
    pub fn tls(target: &str, ca: &[u8]) -> Result<Self, Error> {
        Self::with_tls(target, ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca)))
    }

    /// As [`Server::tls`], with a PEM certificate and key that are shown to a server that asks for them.
    pub fn mutual_tls(target: &str, ca: &[u8], certificate: &[u8], key: &[u8]) -> Result<Self, Error> {
        let identity = Identity::from_pem(certificate, key);
        Self::with_tls(target, ClientTlsConfig::new().ca_certificate(Certificate::from_pem(ca)).identity(identity))
    }

    fn with_tls(target: &str, tls: ClientTlsConfig) -> Result<Self, Error> {
        let endpoint = endpoint("https", target)?.tls_config(tls);
        Ok(Self { endpoint: endpoint.map_err(|error| Error::Usage(format!("TLS cannot be used: {error}")))? })
    }

    /// A connection of its own; each attempt dials anew, so that only the client's own back-off delays it.
    pub async fn connect(&self) -> Result<Channel, Status> {
        self.endpoint.connect().await.map_err(|error| {
            let causes = iter::successors(error.source(), |&cause| cause.source());
            Status::unavailable(causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}")))
        })
    }
}

fn endpoint(scheme: &str, target: &str) -> Result<Endpoint, Error> {
    let endpoint = Endpoint::from_shared(format!("{scheme}://{target}"))
        .map_err(|_| Error::Usage(format!("{target:?} is not an address; expected HOST:PORT")))?;
    Ok(endpoint
        .connect_timeout(CONNECT_TIME)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(KEEPALIVE)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT)
        .keep_alive_while_idle(true))
}

/// Waits no longer for a call than it may take: the server is told its deadline, but may hang.
pub(crate) async fn within_call_time<T>(call: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    tokio::time::timeout(CALL_TIME, call).await.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer in time")))
}

/// Whether the same call may go better later: the server was away or busy, not unwilling.
pub(crate) fn may_be_tried_again(status: &Status) -> bool {
    !matches!(
        status.code(),
        Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::PermissionDenied
            | Code::Unauthenticated
            | Code::FailedPrecondition
            | Code::OutOfRange
            | Code::Unimplemented
    )
}

/// How long to wait before trying again: doubling from `first` to `most`, a part of it at random.
///
/// After `tries` attempts in a row to which the server did not answer it is given up.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    /// The first wait.
    pub first: Duration,
    /// The longest wait.
    pub most: Duration,
    /// How many attempts may stay without an answer.
    pub tries: u32,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { first: Duration::from_millis(200), most: Duration::from_secs(5), tries: 30 }
    }
}

impl Backoff {
    /// The wait after so many failures in a row, at least one; `part` of 0 to 1 is how much of its random half is taken.
    fn delay(&self, failures: u32, part: f64) -> Duration {
        let doubled = self.first.saturating_mul(1 << failures.saturating_sub(1).min(30));
        doubled.min(self.most).mul_f64(0.5 + part / 2.0)
    }
}

/// Counts failures and waits after them.
#[derive(Debug, Default)]
pub(crate) struct Retry {
    backoff: Backoff,
    failures: u32,
    unanswered: u32,
}

impl Retry {
    pub fn new(backoff: Backoff) -> Self {
        Self { backoff, failures: 0, unanswered: 0 }
    }

    /// How long to wait after a failure; fails when it is given up.
    ///
    /// `heard` says that the server answered before, `moved` that something new happened: a server that only ends every
    /// stream at once is tried ever more slowly, and one that does not answer is given up.
    pub fn failed(&mut self, lost: &str, heard: bool, moved: bool) -> Result<Duration, Error> {
        self.failures = if moved { 1 } else { self.failures.saturating_add(1) };
        self.unanswered = if heard { 1 } else { self.unanswered.saturating_add(1) };
        if self.unanswered > self.backoff.tries {
            let tries = self.backoff.tries;
            return Err(Error::ConnectionLost(format!("given up after {tries} attempts without an answer ({lost})")));
        }
        Ok(self.backoff.delay(self.failures, random_part()))
    }

    /// The wait after a first failure.
    pub fn pause(&self) -> Duration {
        self.backoff.delay(1, random_part())
    }

    /// Waits after a call that failed, before it is made again; fails when that would not go better.
    pub async fn again(&mut self, failed: Status) -> Result<(), Error> {
        if !may_be_tried_again(&failed) {
            return Err(failed.into());
        }
        tokio::time::sleep(self.failed(failed.message(), false, false)?).await;
        Ok(())
    }
}

fn random_part() -> f64 {
    f64::from(u32::from_be_bytes(random_bytes())) / f64::from(u32::MAX)
}

/// Bytes that nobody can guess.
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut drawn = [0; N];
    SystemRandom::new().fill(&mut drawn).expect("the system draws random bytes");
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let backoff = Backoff::default();
        let waits: Vec<u128> = (1..8).map(|failures| backoff.delay(failures, 1.0).as_millis()).collect();
        assert_eq!(waits, [200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(backoff.delay(1, 0.0).as_millis(), 100);
        assert_eq!(backoff.delay(u32::MAX, 1.0).as_millis(), 5000);
    }

    #[test]
    fn a_server_that_does_not_answer_is_given_up_and_one_that_moves_is_not() {
        let backoff = Backoff { tries: 3, ..Backoff::default() };
        let mut retry = Retry::new(backoff);
        for _ in 0..10 {
            assert!(retry.failed("away", true, true).expect("goes on") <= backoff.first);
        }
        assert!(retry.failed("away", false, false).is_ok());
        assert!(retry.failed("away", false, false).is_ok());
        assert!(matches!(retry.failed("away", false, false), Err(Error::ConnectionLost(_))));
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        assert!(matches!(Server::plain("not an address"), Err(Error::Usage(_))));
        assert!(matches!(Server::tls("127.0.0.1:1", b"no certificate"), Ok(_) | Err(Error::Usage(_))));
    }
}
