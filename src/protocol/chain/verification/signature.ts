import type { Signature } from "#protocol/crypto/index.ts";
import { poseidonMany, verify } from "#protocol/crypto/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { verifyBlockSignature } from "../block-hash.ts";
import type { BlockHeader } from "../block.ts";
import { earlyStateDiffCommitment } from "../state-diff-commitment.ts";
import type { StateDiff } from "../state-diff.ts";
import { type Mismatch, mismatchOf } from "./mismatch.ts";

/**
 * Verifies the signature of a block. The mismatch reports the key as expected and the signature's `r` as
 * found.
 *
 * Before 0.13.2 the signed message covers the state diff: by today's commitment, as this program's sequencers
 * sign it, or by the commitment of the time, as the public networks did.
 */
export function signatureMismatch(
  publicKey: Felt,
  header: Pick<BlockHeader, "hash" | "stateDiffCommitment" | "protocolVersion">,
  signature: Signature,
  stateDiff: StateDiff,
): Mismatch | undefined {
  if (verifyBlockSignature(publicKey, header, signature)) return undefined;
  if (protocolRules(header.protocolVersion).signedMessage !== "hash") {
    const message = poseidonMany([header.hash, earlyStateDiffCommitment(stateDiff)]);
    if (verify(publicKey, message, signature.r, signature.s)) return undefined;
  }
  return mismatchOf("signature", "signature", publicKey, signature.r);
}
