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

/** The chain that a store has to be of. */
export interface ExpectedChain {
  readonly chainId: string;
  /** Of the key that signs blocks; `null`: whatever the store says. */
  readonly publicKey: Felt | null;
  readonly nativeFeeToken: Felt;
  readonly parentFeeToken: Felt;
}

/**
 * Of which chain a store is, once a sequencer has said so.
 *
 * @throws {OtherChainFollowed} when it is another one than the expected one
 * @throws {BlockRefused} `form` when it cannot be read
 * @throws {NodeError} NODE_STOPPED when the node stops
 */
export async function chainOfStore(
  store: PatientStore,
  expected: ExpectedChain,
): Promise<ChainRecord> {
  for (;;) {
    const found = await store.get(CHAIN, MAX_CHAIN_BYTES, "chain", null);
    if (found !== undefined) return sameChain(chainOf(found.bytes), expected);
    await store.missing("chain", "it has no chain: no sequencer has published there yet");
  }
}

function chainOf(bytes: Uint8Array): ChainRecord {
  try {
    return decodeChain(bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return refuse("form", null, `the object ${CHAIN} of the store is none: ${error.message}`);
  }
}

function sameChain(told: ChainRecord, expected: ExpectedChain): ChainRecord {
  const felts = [
    ["its blocks are signed with the key", told.publicKey, expected.publicKey],
    ["its native fee token is", told.nativeFeeToken, expected.nativeFeeToken],
    ["its parent fee token is", told.parentFeeToken, expected.parentFeeToken],
  ] as const;
  const other = "the store is of another chain than this node's";
  if (told.chainId !== expected.chainId) {
    throw new OtherChainFollowed(
      `${other}: its chain id is ${told.chainId}, not ${expected.chainId}`,
    );
  }
  for (const [what, theirs, ours] of felts) {
    if (ours === null || theirs === ours) continue;
    throw new OtherChainFollowed(
      `${other}: ${what} ${hexFromFelt(theirs)}, not ${hexFromFelt(ours)}`,
    );
  }
  return told;
}
