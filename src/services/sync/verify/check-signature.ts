import { DecodeError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { type BlockHeader, signatureMismatch, type StateDiff } from "#protocol/chain/index.ts";
import { type GatewaySignature, readGatewaySignature } from "#io/feeder/index.ts";
import type { BlockCheckRequest, SyncRefusal } from "../ports.ts";
import type { OrRefusal } from "./check-contents.ts";
import { jsonOf } from "./read-block.ts";
import { formRefusal, refusalOf } from "./refusal.ts";

/** JSON limits of a get_signature response, which is tiny. */
const LIMITS = { maxDepth: 8, maxElements: 64, maxParts: 64 };

/**
 * Returns the signature of a block: the one in the block's response, else the one of get_signature, which
 * must name the block.
 *
 * @param included - signature in get_state_update
 */
export function signatureOf(
  { blockNumber, signatureText }: Pick<BlockCheckRequest, "blockNumber" | "signatureText">,
  included: GatewaySignature | undefined,
  { hash }: BlockHeader,
): OrRefusal<GatewaySignature | undefined> {
  if (included !== undefined || signatureText === undefined)
    return { kind: "passed", value: included };
  try {
    const { blockHash, r, s } = readGatewaySignature(jsonOf(signatureText, LIMITS).value);
    if (blockHash === hash) return { kind: "passed", value: { r, s } };
    const field = "block_hash of the signature";
    const difference = { check: "signature", field, expected: hash, found: blockHash } as const;
    return { kind: "refused", refusal: refusalOf(blockNumber, difference) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { kind: "refused", refusal: formRefusal(blockNumber, error) };
  }
}

/** Checks that the holder of the key has signed the block. */
export function checkSignature(
  { publicKey }: Pick<BlockCheckRequest, "publicKey">,
  header: BlockHeader,
  signature: GatewaySignature,
  stateDiff: StateDiff,
): SyncRefusal | undefined {
  const mismatch = signatureMismatch(publicKey, header, signature, stateDiff);
  if (mismatch === undefined) return undefined;
  const { r, s } = signature;
  return refusalOf(header.number, {
    check: "signature",
    field: "signature",
    expected: `one of block ${hexFromFelt(header.hash)} by the key ${hexFromFelt(publicKey)}`,
    found: `r ${hexFromFelt(r)}, s ${hexFromFelt(s)}`,
  });
}
