//! Decks that nobody chose: they follow from the referee's committed seed and the seats' seeds, by `referee-deal/1`.
//!
//! `docs/fair-deals.md` specifies every byte, and what this does not prove.

use std::fmt;

use ring::hmac;

use crate::merkle::{self, Hash, ProofError, sha256};

mod check;

pub(crate) use check::DealCheck;

/// The name and version of everything that is derived here; any change of a byte makes a new version.
pub const DERIVATION: &str = "referee-deal/1";

/// How many bytes a seed, and a commitment, has.
pub const SEED_BYTES: usize = 32;

/// How many bytes the salt of an opened card has.
pub const SALT_BYTES: usize = 16;

const MAX_ITEMS: usize = 1024;
const MAX_SEATS: usize = 1024;
const BLOCK_BYTES: usize = 32;

/// Something about a deal that is not as it must be; the text says what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealError(pub String);

impl fmt::Display for DealError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for DealError {}

impl From<ProofError> for DealError {
    fn from(error: ProofError) -> Self {
        Self(error.to_string())
    }
}

fn wrong<T>(text: impl Into<String>) -> Result<T, DealError> {
    Err(DealError(text.into()))
}

/// A seat's commitment and seed; what it did not give is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatSeed {
    /// The seat.
    pub seat: i32,
    /// Its commitment.
    pub commitment: Vec<u8>,
    /// Its seed.
    pub seed: Vec<u8>,
}

impl SeatSeed {
    /// The 32 bytes that enter the match seed: the seed, else the commitment, else zeros.
    pub fn counted(&self) -> &[u8] {
        match (self.seed.as_slice(), self.commitment.as_slice()) {
            ([], []) => &[0; SEED_BYTES],
            ([], commitment) => commitment,
            (seed, _) => seed,
        }
    }
}

/// Everything that a match's decks depend on; seats in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSeeds {
    /// The match's name.
    pub match_name: String,
    /// The referee's seed.
    pub referee_seed: Vec<u8>,
    /// The seats' shares.
    pub seats: Vec<SeatSeed>,
}

impl MatchSeeds {
    /// Checks each revealed seed against its commitment, the referee's before the seats'.
    ///
    /// It does not check when anything was sent, except that a seat's commitment is made from the referee's and so came
    /// after it.
    pub fn check(&self, referee_commitment: &[u8]) -> Result<(), DealError> {
        self.check_shape()?;
        if commit_referee(&self.match_name, &self.referee_seed)?.as_slice() != referee_commitment {
            return wrong("the referee's seed is not the committed one");
        }
        for one in self.seats.iter().filter(|one| !one.seed.is_empty()) {
            let made = commit_seat(&self.match_name, one.seat, &one.seed, referee_commitment)?;
            if made.as_slice() != one.commitment {
                return wrong(format!("seat {}'s seed is not the committed one", one.seat));
            }
        }
        Ok(())
    }

    /// The match's 32 secret bytes: HKDF-SHA256 over the referee's seed and then the seats' in ascending order.
    pub fn match_seed(&self) -> Result<Hash, DealError> {
        self.check_shape()?;
        let counted: Vec<&[u8]> = self.seats.iter().map(SeatSeed::counted).collect();
        let material = [self.referee_seed.as_slice(), &counted.concat()].concat();
        let numbers: Vec<String> = self.seats.iter().map(|one| one.seat.to_string()).collect();
        let salt = format!("{DERIVATION}/match/{}", self.match_name);
        let info = format!("{DERIVATION}/seats/{}", numbers.join(","));
        // HKDF of 32 bytes: one step of its expansion is enough.
        let extracted = hmac_sha256(salt.as_bytes(), &[&material]);
        Ok(hmac_sha256(&extracted, &[info.as_bytes(), &[1]]))
    }

    fn check_shape(&self) -> Result<(), DealError> {
        check_match_name(&self.match_name)?;
        check_bytes(&self.referee_seed, "the referee's seed")?;
        check_seats(&self.seats.iter().map(|one| one.seat).collect::<Vec<_>>())?;
        for one in &self.seats {
            for (some, what) in [(&one.seed, "seed"), (&one.commitment, "commitment")] {
                if !some.is_empty() {
                    check_bytes(some, &format!("seat {}'s {what}", one.seat))?;
                }
            }
        }
        Ok(())
    }
}

/// The referee's commitment to its seed for a match.
pub fn commit_referee(match_name: &str, seed: &[u8]) -> Result<Hash, DealError> {
    commit(match_name, 0, &[], seed)
}

/// A seat's commitment to its seed. It contains the referee's, so it cannot have been made before that one.
pub fn commit_seat(match_name: &str, seat: i32, seed: &[u8], referee_commitment: &[u8]) -> Result<Hash, DealError> {
    check_seats(&[seat])?;
    check_bytes(referee_commitment, "the referee's commitment")?;
    commit(match_name, seat, referee_commitment, seed)
}

fn commit(match_name: &str, seat: i32, referee_commitment: &[u8], seed: &[u8]) -> Result<Hash, DealError> {
    check_match_name(match_name)?;
    check_bytes(seed, "a seed")?;
    let label = format!("{DERIVATION}/commit/{match_name}/{seat}/");
    Ok(sha256(&[label.as_bytes(), referee_commitment, seed]))
}

fn check_match_name(match_name: &str) -> Result<(), DealError> {
    let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"._-".contains(&letter);
    if (1..=64).contains(&match_name.len()) && match_name.bytes().all(fits) {
        return Ok(());
    }
    wrong(format!("{match_name:?} is not a match's name; expected 1 to 64 of A-Z a-z 0-9 . _ -"))
}

fn check_bytes(some: &[u8], what: &str) -> Result<(), DealError> {
    if some.len() == SEED_BYTES {
        return Ok(());
    }
    wrong(format!("{what} has {} bytes; expected {SEED_BYTES}", some.len()))
}

fn check_seats(seats: &[i32]) -> Result<(), DealError> {
    let ascending = seats.is_sorted_by(|left, right| left < right);
    if (1..=MAX_SEATS).contains(&seats.len()) && seats[0] >= 1 && ascending {
        return Ok(());
    }
    wrong(format!("seats {seats:?}: expected 1 to {MAX_SEATS} numbers from 1, ascending, each once"))
}

fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> Hash {
    keyed(&hmac::Key::new(hmac::HMAC_SHA256, key), parts)
}

fn keyed(key: &hmac::Key, parts: &[&[u8]]) -> Hash {
    let mut context = hmac::Context::with_key(key);
    for part in parts {
        context.update(part);
    }
    let mut tag = [0; 32];
    tag.copy_from_slice(context.sign().as_ref());
    tag
}

/// Which deck of a match: of so many items (52 cards, 28 tiles), for a hand of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The match's name.
    pub match_name: String,
    /// How many items the deck has.
    pub items: usize,
    /// The block.
    pub block: u64,
    /// The hand of the block, from 1.
    pub hand: u64,
    /// Counts the decks of a hand that had to be dealt anew; 0 is the first.
    pub redeal: u64,
}

impl Deal {
    fn path(&self) -> String {
        format!("{}/{}/{}/{}", self.items, self.block, self.hand, self.redeal)
    }

    /// The hash of one position's leaf. It names the deal, so that an opening fits no other hand.
    fn leaf(&self, position: usize, item: usize, salt: &[u8]) -> Hash {
        let label = format!("{DERIVATION}/card/{}/{}/{position}/{item}/", self.match_name, self.path());
        sha256(&[&[0], label.as_bytes(), salt])
    }
}

/// The decks of a match: they depend on its seeds, block and hand alone.
pub struct FairDecks {
    match_name: String,
    items: usize,
    key: hmac::Key,
}

impl FairDecks {
    /// The decks of a match by its match seed; `items` is 52 for cards, 28 for tiles.
    pub fn new(match_name: &str, match_seed: &Hash, items: usize) -> Result<Self, DealError> {
        check_match_name(match_name)?;
        if !(1..=MAX_ITEMS).contains(&items) {
            return wrong(format!("a deck of {items}; expected 1 to {MAX_ITEMS}"));
        }
        Ok(Self { match_name: match_name.to_owned(), items, key: hmac::Key::new(hmac::HMAC_SHA256, match_seed) })
    }

    /// All items in the order in which they come (DEAL-3).
    pub fn deck(&self, block: u64, hand: u64, redeal: u64) -> Result<Vec<usize>, DealError> {
        Ok(self.shuffled(&self.deal(block, hand, redeal)?))
    }

    /// The deck with its salts and the root that commits to it.
    pub fn committed(&self, block: u64, hand: u64, redeal: u64) -> Result<CommittedDeck, DealError> {
        let deal = self.deal(block, hand, redeal)?;
        let deck = self.shuffled(&deal);
        let label = format!("{DERIVATION}/salt/{}", deal.path());
        let blocks: Vec<Hash> = (0..self.items.div_ceil(BLOCK_BYTES / SALT_BYTES))
            .map(|number| self.stream_block(&label, number))
            .collect();
        let salts = blocks.as_flattened().as_chunks::<SALT_BYTES>().0[..self.items].to_vec();
        Ok(CommittedDeck::new(deal, deck, salts))
    }

    /// The seat that has the first button (SEAT-6); `seats` ascending.
    pub fn first_button(&self, seats: &[i32]) -> Result<i32, DealError> {
        check_seats(seats)?;
        Ok(seats[below(seats.len(), &mut self.numbers(format!("{DERIVATION}/button")))])
    }

    fn deal(&self, block: u64, hand: u64, redeal: u64) -> Result<Deal, DealError> {
        for (number, what) in [(block, "block"), (hand, "hand"), (redeal, "redeal")] {
            if i64::try_from(number).is_err() {
                return wrong(format!("{what} {number}; expected 0 to {}", i64::MAX));
            }
        }
        Ok(Deal { match_name: self.match_name.clone(), items: self.items, block, hand, redeal })
    }

    /// Fisher-Yates from the top.
    fn shuffled(&self, deal: &Deal) -> Vec<usize> {
        let mut numbers = self.numbers(format!("{DERIVATION}/deck/{}", deal.path()));
        let mut items: Vec<usize> = (0..self.items).collect();
        for top in (1..self.items).rev() {
            items.swap(top, below(top + 1, &mut numbers));
        }
        items
    }

    fn stream_block(&self, label: &str, number: usize) -> Hash {
        keyed(&self.key, &[label.as_bytes(), b"/", number.to_string().as_bytes()])
    }

    /// Endless 16-bit numbers, big-endian, of a label.
    fn numbers(&self, label: String) -> impl Iterator<Item = u16> {
        (0..).flat_map(move |number| {
            let block = self.stream_block(&label, number);
            (0..BLOCK_BYTES / 2).map(move |at| u16::from_be_bytes([block[2 * at], block[2 * at + 1]]))
        })
    }
}

/// A number from 0 to `bound - 1`, each as likely: those that would make some likelier are passed over.
fn below(bound: usize, numbers: &mut impl Iterator<Item = u16>) -> usize {
    let accepted = 65536 - 65536 % bound;
    loop {
        let number = usize::from(numbers.next().expect("the stream has no end"));
        if number < accepted {
            return number % bound;
        }
    }
}

/// One opened position of a deck (0 is dealt first): its item, its salt, and the hashes that lead to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position.
    pub position: usize,
    /// The item there.
    pub item: usize,
    /// Its salt.
    pub salt: Vec<u8>,
    /// The hashes, the lowest first.
    pub path: Vec<Hash>,
}

/// A deck with the root that commits to it.
pub struct CommittedDeck {
    /// Which deck it is.
    pub deal: Deal,
    /// Its items in the order in which they come.
    pub deck: Vec<usize>,
    /// The salt of each position.
    pub salts: Vec<[u8; SALT_BYTES]>,
    /// What was published before the hand.
    pub root: Hash,
    leaves: Vec<Hash>,
}

impl CommittedDeck {
    fn new(deal: Deal, deck: Vec<usize>, salts: Vec<[u8; SALT_BYTES]>) -> Self {
        let leaf = |(position, (item, salt)): (usize, (&usize, &[u8; SALT_BYTES]))| deal.leaf(position, *item, salt);
        let leaves: Vec<Hash> = deck.iter().zip(&salts).enumerate().map(leaf).collect();
        Self { root: merkle::root_of(&leaves), deal, deck, salts, leaves }
    }

    /// Opens one position; `None` when the deck has no such position.
    pub fn open(&self, position: usize) -> Option<Opening> {
        let path = merkle::inclusion_proof(&self.leaves, position)?;
        Some(Opening { position, item: self.deck[position], salt: self.salts[position].to_vec(), path })
    }
}

/// Checks an opened position against the root that was published for the deal.
///
/// It shows what was committed, not that the deck follows from the seeds.
pub fn verify_opening(deal: &Deal, root: &Hash, opening: &Opening) -> Result<(), DealError> {
    let Opening { position, item, salt, path } = opening;
    if *item >= deal.items {
        return wrong(format!("position {position}: item {item} of a deck of {}", deal.items));
    }
    if salt.len() != SALT_BYTES {
        return wrong(format!("position {position}: a salt of {} bytes; expected {SALT_BYTES}", salt.len()));
    }
    let hashed = deal.leaf(*position, *item, salt);
    merkle::verify_inclusion(&hashed, *position as u64, deal.items as u64, path, root)
        .map_err(|error| DealError(format!("position {position}: {error}")))
}
