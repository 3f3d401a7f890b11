/** Asking a server's log, and believing it only so far as its keys and proofs go (docs/signed-log.md). */

import { fromBinary } from "@bufbuild/protobuf";
import { LogService, SealSchema, type GetInclusionProofResponse, type Seal } from "../contract.js";
import { call, type CallOptions, type Server } from "../connecting.js";
import { leafHash, ProofMismatchError, ProofShapeError, verifyInclusion } from "../merkle.js";
import { checkGrowth, verifyCheckpoint, type Checkpoint } from "./checkpoints.js";
import type { KeyRing } from "./keys.js";

/** A piece of a table's record that is in the log: hand h is piece h. `leaf` is its hash, which names it for good. */
export interface ProvenPiece {
  readonly seal: Seal;
  readonly index: bigint;
  readonly leaf: Uint8Array;
  readonly checkpoint: Checkpoint;
}

/**
 * The newest head of the server's log, signed by a key of the ring. Where an earlier head is `known` the new one must
 * go on from it. Rejects as `verifyCheckpoint` and `checkGrowth` do.
 */
export async function newestHead(
  target: string | Server,
  ring: KeyRing,
  { known, ...options }: CallOptions & { readonly known?: Checkpoint } = {},
): Promise<Checkpoint> {
  const { checkpoint: note } = await call(target, LogService.method.getCheckpoint, {}, options);
  const { checkpoint } = verifyCheckpoint(note, ring);
  if (known !== undefined) {
    const sizes = { oldSize: known.size, size: checkpoint.size };
    const asks = checkpoint.size > known.size; // else nothing could prove it
    const { hashes } = asks
      ? await call(target, LogService.method.getConsistencyProof, sizes, options)
      : { hashes: [] };
    checkGrowth(known, checkpoint, hashes);
  }
  return checkpoint;
}

/**
 * Asks for a piece of a table's record and for the proof that it is in the log of this head; rejects as `verifyPiece`
 * raises.
 */
export async function provePiece(
  target: string | Server,
  tableId: string,
  piece: bigint,
  checkpoint: Checkpoint,
  options: CallOptions = {},
): Promise<ProvenPiece> {
  const request = { tableId, piece, size: checkpoint.size };
  const proof = await call(target, LogService.method.getInclusionProof, request, options);
  return verifyPiece(proof, tableId, piece, checkpoint);
}

/** Verifies the answer to such a question, without asking anybody; raises ProofError. */
export function verifyPiece(
  { seal: bytes, index, size, hashes }: GetInclusionProofResponse,
  tableId: string,
  piece: bigint,
  checkpoint: Checkpoint,
): ProvenPiece {
  if (size !== checkpoint.size)
    throw new ProofShapeError(`a proof for a log of ${size} records, not ${checkpoint.size}`);
  const leaf = leafHash(bytes);
  verifyInclusion(leaf, index, size, hashes, checkpoint.root);
  const seal = fromBinary(SealSchema, bytes);
  if (seal.format !== "referee-record/1" || seal.tableId !== tableId || seal.piece !== piece) {
    throw new ProofMismatchError(
      `the seal of piece ${seal.piece} of table ${seal.tableId}, not ${piece} of ${tableId}`,
    );
  }
  return { seal, index, leaf, checkpoint };
}
