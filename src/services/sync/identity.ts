import { NodeError, StorageError } from "#base/errors/index.ts";
import {
  bytesFromFelt,
  type Felt,
  FELT_BYTES,
  feltFromBytes,
  hexFromFelt,
} from "#base/primitives/index.ts";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import type { KeyPinned } from "./messages.ts";
import type { BlockSource } from "./ports.ts";
import { refuse } from "./refusal.ts";
import type { SyncSettings } from "./settings.ts";

/** Where the key that a gateway told first is kept. */
const PUBLIC_KEY = "sync-public-key";

/** What a gateway is recognized with. */
export interface IdentityDeps {
  readonly source: Pick<BlockSource, "publicKey" | "contractAddresses" | "reference">;
  readonly chain: Pick<StoredChainReader, "header" | "oldestBlock" | "value">;
  readonly writer: Pick<ChainWriter, "putValue">;
  readonly settings: Pick<SyncSettings, "publicKey" | "feeTokens" | "sourceName">;
  readonly onPinned: (message: KeyPinned) => void;
}

/** What a key is kept with. */
type KeyKeeping = Pick<IdentityDeps, "writer" | "onPinned"> & {
  readonly chain: Pick<StoredChainReader, "value">;
  readonly settings: Pick<SyncSettings, "publicKey">;
};

/**
 * The hash of the gateway's block 0 where it is another one than the stored one; of a chain from a snapshot
 * it is the block that this begins with.
 *
 * @throws {NodeError} as the source does
 */
export async function otherGenesis({ source, chain }: IdentityDeps): Promise<Felt | undefined> {
  const ours = chain.header(chain.oldestBlock());
  if (ours === undefined) return undefined;
  const theirs = await source.reference(ours.number);
  return theirs === undefined || theirs.hash === ours.hash ? undefined : theirs.hash;
}

/**
 * The key that the newest stored blocks are signed with; `undefined` before the first one is stored.
 *
 * @throws {StorageError} STORAGE_DAMAGED when what is kept is no key
 */
export function keptPublicKey(chain: Pick<StoredChainReader, "value">): Felt | undefined {
  const kept = chain.value(PUBLIC_KEY);
  if (kept === undefined) return undefined;
  if (kept.length === FELT_BYTES) return feltFromBytes(kept);
  const message = `the public key that is kept in chain.db has ${kept.length} bytes, expected ${FELT_BYTES}: restore chain.db from a backup`;
  throw new StorageError("STORAGE_DAMAGED", message);
}

/**
 * The key that has to have signed each block: the configured one, else the kept one, else what the gateway
 * tells, until {@link keepPublicKey} was called.
 *
 * @throws {BlockRefused} `public_key`, `fee_token` when the gateway tells others than this chain has
 * @throws {NodeError} as the source does
 */
export async function requireIdentity(deps: IdentityDeps): Promise<Felt> {
  await requireFeeTokens(deps);
  const { source, chain, settings } = deps;
  const ours = settings.publicKey ?? keptPublicKey(chain);
  if (ours === undefined) return source.publicKey();
  const told = await toldKey(source);
  if (told !== undefined && told !== ours) {
    const origin = settings.publicKey === null ? "told before" : "configured";
    const found = `${hexFromFelt(ours)} was ${origin}, ${settings.sourceName} tells ${hexFromFelt(told)}`;
    refuse("public_key", null, `public key of the sequencer: ${found}`);
  }
  return ours;
}

/**
 * A block that was signed with a key is stored. Unless one is configured or kept already, that is the one
 * from then on; a configured one is kept for `db check`. What no block was signed with is not kept: a gateway
 * may tell anything.
 */
export function keepPublicKey(
  { chain, writer, settings, onPinned }: KeyKeeping,
  publicKey: Felt,
): void {
  const kept = keptPublicKey(chain);
  const isConfigured = settings.publicKey !== null;
  if (kept === publicKey || (kept !== undefined && !isConfigured)) return;
  writer.putValue(PUBLIC_KEY, bytesFromFelt(publicKey));
  if (!isConfigured) onPinned({ kind: "keyPinned", publicKey });
}

/** A gateway that tells none is one all the same: blocks have to be signed with the key that is known. */
async function toldKey(source: Pick<BlockSource, "publicKey">): Promise<Felt | undefined> {
  try {
    return await source.publicKey();
  } catch (error) {
    if (error instanceof NodeError && error.code === "NODE_BAD_ANSWER") return undefined;
    throw error;
  }
}

async function requireFeeTokens({ source, settings }: IdentityDeps): Promise<void> {
  const { strk, eth } = settings.feeTokens;
  const { nativeFeeToken, parentFeeToken } = await source.contractAddresses();
  const tokens = [
    ["strk_l2_token_address", strk, nativeFeeToken],
    ["eth_l2_token_address", eth, parentFeeToken],
  ] as const;
  for (const [name, ours, theirs] of tokens) {
    if (theirs === undefined || theirs === ours) continue;
    const found = `configured ${hexFromFelt(ours)}, ${settings.sourceName} tells ${hexFromFelt(theirs)}`;
    refuse("fee_token", null, `${name}: ${found}`);
  }
}
