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
 * Verifies the signature of a block. What is found then is its `r`, and what was expected the key.
 *
 * Before 0.13.2 the signed message covers the state diff: in today's commitment, as this program's
 * sequencers sign it, or in that of the time, as those of the public networks did.
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
