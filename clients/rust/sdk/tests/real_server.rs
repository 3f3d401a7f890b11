//! A match at the referee itself: its server is killed in mid-hand, the decks are checked, and a hand is found in the log.
//!
//! Needs the repository's virtual environment (`make venv`), or another Python with the package in REFEREE_PYTHON.
//! Without it the test says that it is skipped. REFEREE_LONG=1 plays 200 hands at six seats.

use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use referee_client::log::{KeyRing, check_hand_in_log};
use referee_client::{
    Backoff, Decision, Options, SeatRequest, Server, create_table, leave_seat, play, table_state, take_seat, v1,
};

const STARTING_TIME: Duration = Duration::from_secs(300);

/// The referee on a port of its own with a folder of its own; it can be killed and started again.
struct Referee {
    python: PathBuf,
    root: PathBuf,
    data: PathBuf,
    port: u16,
    server: Option<Child>,
    bots: Vec<Child>,
}

impl Referee {
    /// Starts it; `None` where there is no Python that has it.
    fn start() -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let python = env::var_os("REFEREE_PYTHON").map_or_else(|| root.join(".venv/bin/python"), PathBuf::from);
        if !python.exists() {
            eprintln!("SKIPPED: no {} (`make venv` makes it)", python.display());
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
        let data = env::temp_dir().join(format!("referee-client-{}-{port}", std::process::id()));
        let mut referee = Self { python, root, data, port, server: None, bots: Vec::new() };
        referee.serve();
        Some(referee)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.args(["-m", "referee"]).args(words).current_dir(&self.root).stdout(Stdio::null());
        command
    }

    fn serve(&mut self) {
        let (port, data) = (self.port.to_string(), self.data.display().to_string());
        let words = ["serve", "--port", &port, "--data", &data, "--log-level", "warning"];
        self.server = Some(self.command(&words).spawn().expect("a server"));
        let is_healthy = || self.command(&["healthcheck", "--target", &self.target()]).stderr(Stdio::null()).status();
        let until = SystemTime::now() + STARTING_TIME;
        while !is_healthy().expect("a check").success() {
            assert!(SystemTime::now() < until, "the server does not start");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// SIGKILL.
    fn kill(&mut self) {
        let mut server = self.server.take().expect("a server");
        server.kill().expect("killed");
        server.wait().expect("gone");
    }

    fn target(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn seat_practice_bot(&mut self, name: &str, table_id: &str, seed: usize) {
        let words = ["bot", name, "--table", table_id, "--target", &self.target(), "--seed", &seed.to_string()];
        let bot = self.command(&words).spawn().expect("a bot");
        self.bots.push(bot);
    }
}

impl Drop for Referee {
    fn drop(&mut self) {
        for process in self.bots.iter_mut().chain(&mut self.server) {
            let _ = process.kill();
            let _ = process.wait();
        }
        let _ = fs::remove_dir_all(&self.data);
    }
}

fn config(seats: i32, hands: i64) -> v1::TableConfig {
    v1::TableConfig {
        rules: Some(v1::table_config::Rules::RuleSetName("irish/full-tilt@1".into())),
        structure: v1::BettingStructure::PotLimit.into(),
        stakes: Some(v1::Stakes { small_blind: 5, big_blind: 10, ..v1::Stakes::default() }),
        seats,
        starting_stack: 1000,
        reset_stacks: true,
        hands,
        ..v1::TableConfig::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_is_played_to_its_end_though_the_server_is_killed_in_mid_hand() {
    let Some(mut referee) = Referee::start() else { return };
    let is_long = env::var_os("REFEREE_LONG").is_some_and(|value| !value.is_empty());
    let (seats, hands) = if is_long { (6, 200) } else { (3, 8) };
    let server = Server::plain(&referee.target()).expect("a server");
    let token = fs::read_to_string(referee.data.join("host.token")).expect("a token");
    let table_id = create_table(&server, config(seats, hands), token.trim()).await.expect("a table");
    let seat = take_seat(&server, &table_id, SeatRequest::named("rust")).await.expect("a seat");
    for (number, name) in (1..seats as usize).zip(["sound-irish", "random-legal"].iter().cycle()) {
        referee.seat_practice_bot(name, &table_id, number);
    }
    // The bot has its server killed while it is asked in these hands, and answers when that is done.
    let mut fatal_hands = if is_long { vec![100, 50, 2] } else { vec![2] };
    let kills = fatal_hands.len();
    let (asking, asked) = channel();
    let (killing, killed) = channel::<()>();
    let bot = move |decision: &Decision| {
        if fatal_hands.pop_if(|hand| *hand <= decision.hand_number).is_some() {
            asking.send(()).expect("a test");
            killed.recv().expect("a test");
        }
        decision.check_or_call()
    };
    let backoff = Backoff { first: Duration::from_millis(20), most: Duration::from_millis(500), tries: 1000 };
    let options = Options { backoff, ..Options::default() };
    let playing = tokio::spawn({
        let (server, seats) = (server.clone(), [seat.clone()]);
        async move { play(&server, bot, &seats, options).await }
    });
    let serving = move || -> Referee {
        for _ in 0..kills {
            asked.recv_timeout(STARTING_TIME).expect("the bot is asked");
            referee.kill();
            killing.send(()).expect("a bot");
            referee.serve();
        }
        referee
    };
    let referee = tokio::task::spawn_blocking(serving).await.expect("killed and started again");
    let played = playing.await.expect("no panic").expect("played").remove(0);
    assert_eq!((played.reason.as_str(), played.hands as i64, played.refusals), ("TABLE_ENDED", hands, 0));
    assert_eq!((played.deals_checked as i64, played.deal_fault.as_str()), (hands, ""));
    assert!(played.resumed >= kills as u64, "{played:?}");
    assert_eq!(table_state(&server, &table_id).await.expect("a state").status(), v1::TableStatus::Ended);
    leave_seat(&server, &table_id, &seat.seat_token).await.expect("nothing is left to leave");

    let keys = fs::read_to_string(referee.data.join("log.keys")).expect("keys");
    let ring = KeyRing::parse(&keys).expect("a ring");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_secs();
    let piece = check_hand_in_log(&server, &table_id, 3, &ring, now).await.expect("an answer").expect("in the log");
    assert_eq!((piece.seal.table_id.as_str(), piece.seal.piece), (table_id.as_str(), 3));
    let strangers = KeyRing { origin: "stranger.example/log".into(), ..ring };
    assert!(check_hand_in_log(&server, &table_id, 3, &strangers, now).await.expect("an answer").is_err());
}
