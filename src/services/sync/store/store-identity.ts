import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  CHAIN,
  type ChainRecord,
  decodeChain,
  MAX_CHAIN_BYTES,
} from "#services/replication/index.ts";
import { OtherChainFollowed, refuse } from "../refusal.ts";
import type { PatientStore } from "./patient-store.ts";

/** Chain that a store must belong to. */
export interface ExpectedChain {
  readonly chainId: string;
  /** Public key of the block signer; `null` to accept the store's key. */
  readonly publicKey: Felt | null;
  readonly nativeFeeToken: Felt;
  readonly parentFeeToken: Felt;
}

/**
 * Returns the chain that a store belongs to; waits until a sequencer has claimed it.
 *
 * @throws {OtherChainFollowed} when the store belongs to another chain than expected
 * @throws {BlockRefused} `form` when the record cannot be read
 * @throws {NodeError} NODE_STOPPED when the node stops
 */
export async function chainOfStore(
  store: PatientStore,
  expected: ExpectedChain,
): Promise<ChainRecord> {
  for (;;) {
    const found = await store.get(CHAIN, MAX_CHAIN_BYTES, "chain", null);
    if (found !== undefined) return sameChain(chainOf(found.bytes), expected);
    await store.missing("chain", "it has no chain record: no sequencer has published there yet");
  }
}

function chainOf(bytes: Uint8Array): ChainRecord {
  try {
    return decodeChain(bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return refuse(
      "form",
      null,
      `the object ${CHAIN} of the store is not a chain record: ${error.message}`,
    );
  }
}

function sameChain(found: ChainRecord, expected: ExpectedChain): ChainRecord {
  const felts = [
    ["its blocks are signed with the key", found.publicKey, expected.publicKey],
    ["its native fee token is", found.nativeFeeToken, expected.nativeFeeToken],
    ["its parent fee token is", found.parentFeeToken, expected.parentFeeToken],
  ] as const;
  const other = "the store belongs to another chain than this node";
  if (found.chainId !== expected.chainId) {
    throw new OtherChainFollowed(
      `${other}: its chain id is ${found.chainId}, not ${expected.chainId}`,
    );
  }
  for (const [what, theirs, ours] of felts) {
    if (ours === null || theirs === ours) continue;
    throw new OtherChainFollowed(
      `${other}: ${what} ${hexFromFelt(theirs)}, not ${hexFromFelt(ours)}`,
    );
  }
  return found;
}
