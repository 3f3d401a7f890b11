//! Calls about tables: open and close one, take a seat and leave it.
//!
//! Each carries a request id of its own and is sent again under it while the server is out of reach, so that nothing is
//! done twice. What the server will not do is an [`Error::Refused`].

use std::fmt;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

use crate::connecting::{Backoff, CALL_TIME, Retry, Server, random_bytes, within_call_time};
use crate::deals::{SEED_BYTES, commit_seat};
use crate::error::{Broken, Error};
use crate::merkle::hex;
use crate::v1;
use crate::v1::table_service_client::TableServiceClient;

/// A seat that was taken.
#[derive(Clone, PartialEq, Eq)]
pub struct Seat {
    /// The table.
    pub table_id: String,
    /// Proves the seat; a secret that is told once.
    pub seat_token: String,
    /// Its number; 0 means that it is not known.
    pub number: i32,
    /// The hand under way when it was taken, 0 before the first: play begins there, so that nothing is missed in between.
    /// `None` begins with the hand under way.
    pub hand: Option<i64>,
    /// The seat's own share of the deals, a secret until it is revealed; empty for a seat that committed to none.
    pub seed: Vec<u8>,
}

impl Seat {
    /// A seat that was taken before, by its table and token.
    pub fn known(table_id: &str, seat_token: &str) -> Self {
        Self {
            table_id: table_id.to_owned(),
            seat_token: seat_token.to_owned(),
            number: 0,
            hand: None,
            seed: Vec::new(),
        }
    }
}

impl fmt::Debug for Seat {
    /// Without its secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Seat({}, {})", self.table_id, self.number)
    }
}

/// What a seat commits to before the first hand, so that nobody else can have chosen the cards.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum OwnSeed {
    /// A seed that is drawn here.
    #[default]
    Drawn,
    /// This seed.
    Given([u8; SEED_BYTES]),
    /// None: the seat takes no part.
    None,
}

/// Makes one call of the table service, again and again while the server is out of reach.
async fn call<T: Clone, R, F>(
    server: &Server,
    backoff: Backoff,
    message: T,
    token: &str,
    send: impl Fn(TableServiceClient<Channel>, Request<T>) -> F,
) -> Result<R, Error>
where
    F: Future<Output = Result<tonic::Response<R>, Status>>,
{
    let bearer: Option<MetadataValue<Ascii>> = match token {
        "" => None,
        token => {
            let fault = || Error::Usage("a token that no header can carry".to_owned());
            Some(format!("Bearer {token}").parse().map_err(|_| fault())?)
        }
    };
    let mut retry = Retry::new(backoff);
    loop {
        let mut request = Request::new(message.clone());
        request.set_timeout(CALL_TIME);
        if let Some(bearer) = &bearer {
            request.metadata_mut().insert("authorization", bearer.clone());
        }
        let attempt = async { send(TableServiceClient::new(server.connect().await?), request).await };
        match within_call_time(attempt).await {
            Ok(answer) => return Ok(answer.into_inner()),
            Err(status) => retry.again(status).await?,
        }
    }
}

/// Opens a table and returns its id; `token` is the host's.
pub async fn create_table(server: &Server, config: v1::TableConfig, token: &str) -> Result<String, Error> {
    use v1::create_table_response::Outcome;
    let request = v1::CreateTableRequest { request_id: request_id(), config: Some(config) };
    let response = call(server, Backoff::default(), request, token, |mut client, request| async move {
        client.create_table(request).await
    })
    .await?;
    match response.outcome {
        Some(Outcome::TableId(table_id)) => Ok(table_id),
        Some(Outcome::Refused(refused)) => Err(Error::Setup { rule: refused.rule, message: refused.message }),
        None => Err(Broken("neither a table nor a reason why there is none".to_owned()).into()),
    }
}

/// Ends a table after the hand under way; `token` is the host's.
pub async fn close_table(server: &Server, table_id: &str, token: &str) -> Result<(), Error> {
    let request = v1::CloseTableRequest { request_id: request_id(), table_id: table_id.to_owned() };
    call(
        server,
        Backoff::default(),
        request,
        token,
        |mut client, request| async move { client.close_table(request).await },
    )
    .await?;
    Ok(())
}

/// How a table stands, as anybody may see it.
pub async fn table_state(server: &Server, table_id: &str) -> Result<v1::TableState, Error> {
    let request = v1::GetTableRequest { table_id: table_id.to_owned() };
    call(server, Backoff::default(), request, "", |mut client, request| async move { client.get_table(request).await })
        .await?
        .table
        .ok_or_else(|| Broken(format!("nothing is said of table {table_id}")).into())
}

/// Which seat is to be taken, and how.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SeatRequest {
    /// Who sits down.
    pub name: String,
    /// Which seat; 0 takes the first free one.
    pub seat: i32,
    /// The preset that shows a beaten hand (SHOW-2).
    pub show_when_beaten: bool,
    /// Whether to post a big blind to come in at a table that is playing already (SEAT-2).
    pub posts: bool,
    /// What the seat commits to before the first hand.
    pub own_seed: OwnSeed,
}

impl SeatRequest {
    /// The first free seat, with a seed of its own.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// Takes a seat. Its token is told this once; keep it to come back.
///
/// Before the first hand the seat also commits to a seed of its own; playing reveals it in time.
pub async fn take_seat(server: &Server, table_id: &str, wish: SeatRequest) -> Result<Seat, Error> {
    let state = table_state(server, table_id).await?;
    let seed = match wish.own_seed {
        _ if state.hand > 0 => Vec::new(),
        OwnSeed::Drawn => random_bytes::<SEED_BYTES>().to_vec(),
        OwnSeed::Given(seed) => seed.to_vec(),
        OwnSeed::None => Vec::new(),
    };
    let request = v1::TakeSeatRequest {
        request_id: request_id(),
        table_id: table_id.to_owned(),
        seat: wish.seat,
        name: wish.name,
        show_when_beaten: wish.show_when_beaten,
        public_key: Vec::new(),
        commits_seed: !seed.is_empty(),
        posts: wish.posts,
    };
    let taken =
        call(
            server,
            Backoff::default(),
            request,
            "",
            |mut client, request| async move { client.take_seat(request).await },
        )
        .await?;
    let mut seat = Seat { number: taken.seat, hand: Some(state.hand), ..Seat::known(table_id, &taken.seat_token) };
    if !seed.is_empty() {
        let commitment = commit_seat(&state.match_name, taken.seat, &seed, &state.deal_commitment)
            .map_err(|error| Broken(error.to_string()))?;
        if commit_seed(server, &seat, &commitment).await? {
            seat.seed = seed;
        }
    }
    Ok(seat)
}

/// Commits a seat to its seed; whether that was not too late.
async fn commit_seed(server: &Server, seat: &Seat, commitment: &[u8]) -> Result<bool, Error> {
    let request = v1::CommitSeedRequest {
        table_id: seat.table_id.clone(),
        seat_token: seat.seat_token.clone(),
        commitment: commitment.to_vec(),
    };
    let committed = call(server, Backoff::default(), request, "", |mut client, request| async move {
        client.commit_seed(request).await
    })
    .await;
    unless_refused(committed)
}

/// Reveals a seat's seed; nothing happens when the table does not wait for it any more.
pub(crate) async fn reveal_seed(
    server: &Server,
    backoff: Backoff,
    table_id: &str,
    seat_token: &str,
    seed: &[u8],
) -> Result<(), Error> {
    let (table_id, seat_token) = (table_id.to_owned(), seat_token.to_owned());
    let request = v1::RevealSeedRequest { table_id, seat_token, seed: seed.to_vec() };
    let revealed =
        call(server, backoff, request, "", |mut client, request| async move { client.reveal_seed(request).await })
            .await;
    unless_refused(revealed).map(drop)
}

/// Leaves a seat after the hand under way; until then its decisions are answered as if out of time.
///
/// Nothing happens when the seat or its table is gone already.
pub async fn leave_seat(server: &Server, table_id: &str, seat_token: &str) -> Result<(), Error> {
    leave_seat_with(server, Backoff::default(), table_id, seat_token).await
}

pub(crate) async fn leave_seat_with(
    server: &Server,
    backoff: Backoff,
    table_id: &str,
    seat_token: &str,
) -> Result<(), Error> {
    let (table_id, seat_token) = (table_id.to_owned(), seat_token.to_owned());
    let request = v1::LeaveSeatRequest { request_id: request_id(), table_id, seat_token };
    let left =
        call(server, backoff, request, "", |mut client, request| async move { client.leave_seat(request).await }).await;
    unless_refused(left).map(drop)
}

/// Keeps the seat and is dealt in no more, from the next hand on (SEAT-5).
pub async fn sit_out(server: &Server, table_id: &str, seat_token: &str) -> Result<(), Error> {
    let (table_id, seat_token) = (table_id.to_owned(), seat_token.to_owned());
    let request = v1::SitOutRequest { request_id: request_id(), table_id, seat_token };
    let send = |mut client: TableServiceClient<Channel>, request| async move { client.sit_out(request).await };
    call(server, Backoff::default(), request, "", send).await.map(drop)
}

/// Plays again after sitting out; `posts` says whether to post what is owed as soon as may be (SEAT-2, SEAT-3).
pub async fn sit_in(server: &Server, table_id: &str, seat_token: &str, posts: bool) -> Result<(), Error> {
    let (table_id, seat_token) = (table_id.to_owned(), seat_token.to_owned());
    let request = v1::SitInRequest { request_id: request_id(), table_id, seat_token, posts };
    let send = |mut client: TableServiceClient<Channel>, request| async move { client.sit_in(request).await };
    call(server, Backoff::default(), request, "", send).await.map(drop)
}

/// Has the stack filled up to so many chips before the next hand, if it then has fewer; 0 takes an earlier one back.
pub async fn top_up(server: &Server, table_id: &str, seat_token: &str, to: i64) -> Result<(), Error> {
    let (table_id, seat_token) = (table_id.to_owned(), seat_token.to_owned());
    let request = v1::TopUpRequest { request_id: request_id(), table_id, seat_token, to };
    let send = |mut client: TableServiceClient<Channel>, request| async move { client.top_up(request).await };
    call(server, Backoff::default(), request, "", send).await.map(drop)
}

/// Passes over that a table does not allow a call any more, or does not know the seat any more.
fn unless_refused<T>(answer: Result<T, Error>) -> Result<bool, Error> {
    match answer {
        Ok(_) => Ok(true),
        Err(Error::Refused(status)) if matches!(status.code(), Code::FailedPrecondition | Code::PermissionDenied) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

fn request_id() -> String {
    hex(&random_bytes::<16>())
}
