//! A hand's record in the log: the seal that stands for it, and the proof that the log has it.

use prost::Message;
use tonic::Status;

use super::LogError;
use super::keys::{KeyRing, VerifiedCheckpoint, verify_checkpoint};
use crate::connecting::{Retry, Server, within_call_time};
use crate::error::Error;
use crate::merkle::{self, Hash};
use crate::v1;
use crate::v1::log_service_client::LogServiceClient;

/// A piece of a table's record that is proved to be in the log under a head that its log has signed.
#[derive(Clone, Debug, PartialEq)]
pub struct SealedPiece {
    /// The seal; hand h is piece h.
    pub seal: v1::Seal,
    /// Its index in the log, from 0.
    pub index: u64,
    /// The head of the log.
    pub head: VerifiedCheckpoint,
}

/// Checks that a seal is number `index` under a signed head, and that it is the piece of the table that was asked for.
pub fn verify_piece(
    seal: &[u8],
    (table_id, piece): (&str, i64),
    index: u64,
    proof: &[Hash],
    head: VerifiedCheckpoint,
) -> Result<SealedPiece, LogError> {
    let size = head.checkpoint.size;
    merkle::verify_inclusion(&merkle::leaf_hash(seal), index, size, proof, &head.checkpoint.root)
        .map_err(|error| LogError::Piece(error.to_string()))?;
    let seal = v1::Seal::decode(seal).map_err(|_| LogError::Piece(format!("leaf {index} is no seal")))?;
    if (seal.table_id.as_str(), seal.piece) != (table_id, piece) {
        let other =
            format!("leaf {index} is piece {} of table {}, not {piece} of {table_id}", seal.piece, seal.table_id);
        return Err(LogError::Piece(other));
    }
    Ok(SealedPiece { seal, index, head })
}

/// Asks a server for the newest head of its log and for the proof that a hand is in it, and checks both by one's own keys.
///
/// `at_unix_s` is now. What the server says of itself is not believed: a proof that does not hold is the inner error.
pub async fn check_hand_in_log(
    server: &Server,
    table_id: &str,
    hand: i64,
    ring: &KeyRing,
    at_unix_s: u64,
) -> Result<Result<SealedPiece, LogError>, Error> {
    let mut retry = Retry::default();
    let (checkpoint, proved) = loop {
        match within_call_time(ask(server, table_id, hand, ring, at_unix_s)).await {
            Ok(answers) => break answers,
            Err(status) => retry.again(status).await?,
        }
    };
    Ok(verify_checkpoint(&checkpoint, ring, at_unix_s, 0).and_then(|head| {
        let proof = merkle::hashes_of(&proved.hashes).map_err(|error| LogError::Piece(error.to_string()))?;
        let index = u64::try_from(proved.index).map_err(|_| LogError::Piece("an index below 0".to_owned()))?;
        verify_piece(&proved.seal, (table_id, hand), index, &proof, head)
    }))
}

/// The newest signed head, and the proof that it has the hand.
async fn ask(
    server: &Server,
    table_id: &str,
    hand: i64,
    ring: &KeyRing,
    at_unix_s: u64,
) -> Result<(Vec<u8>, v1::GetInclusionProofResponse), Status> {
    let mut client = LogServiceClient::new(server.connect().await?);
    let checkpoint = client.get_checkpoint(v1::GetCheckpointRequest {}).await?.into_inner().checkpoint;
    let size = signed_size(&checkpoint, ring, at_unix_s);
    let request = v1::GetInclusionProofRequest { table_id: table_id.to_owned(), piece: hand, size };
    Ok((checkpoint, client.get_inclusion_proof(request).await?.into_inner()))
}

/// The size of a head; 0, for the newest, where it is not believed, which is said when it is checked again.
fn signed_size(checkpoint: &[u8], ring: &KeyRing, at_unix_s: u64) -> i64 {
    verify_checkpoint(checkpoint, ring, at_unix_s, 0)
        .ok()
        .and_then(|head| i64::try_from(head.checkpoint.size).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::Checkpoint;

    fn head(leaves: &[Hash]) -> VerifiedCheckpoint {
        let (size, root) = (leaves.len() as u64, merkle::root_of(leaves));
        let checkpoint = Checkpoint { origin: "log".into(), size, root, extensions: Vec::new() };
        VerifiedCheckpoint { checkpoint, by_log: Vec::new(), by_witnesses: Vec::new(), unknown: Vec::new() }
    }

    #[test]
    fn a_hand_is_in_the_log_only_as_itself() {
        let seal = |piece: i64| v1::Seal { table_id: "t".into(), piece, ..v1::Seal::default() }.encode_to_vec();
        let leaves: Vec<Hash> = (0..7).map(|piece| merkle::leaf_hash(&seal(piece))).collect();
        let proof = merkle::inclusion_proof(&leaves, 3).expect("a proof");
        let found = verify_piece(&seal(3), ("t", 3), 3, &proof, head(&leaves)).expect("in the log");
        assert_eq!((found.seal.piece, found.index, found.head.checkpoint.size), (3, 3, 7));
        for (bytes, asked, index) in
            [(seal(4), ("t", 4), 3), (seal(3), ("t", 4), 3), (seal(3), ("u", 3), 3), (seal(3), ("t", 3), 2)]
        {
            let checked = verify_piece(&bytes, asked, index, &proof, head(&leaves));
            assert!(matches!(checked, Err(LogError::Piece(_))), "{asked:?} at {index}");
        }
        let no_seal = [0xff; 9];
        let alone = [merkle::leaf_hash(&no_seal)];
        assert!(matches!(verify_piece(&no_seal, ("t", 0), 0, &[], head(&alone)), Err(LogError::Piece(_))));
    }
}
