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

/** Name of the stored key that a gateway reported first. */
const PUBLIC_KEY = "sync-public-key";

/** Dependencies for identifying a gateway. */
export interface IdentityDeps {
  readonly source: Pick<BlockSource, "publicKey" | "contractAddresses" | "reference">;
  readonly chain: Pick<StoredChainReader, "header" | "oldestBlock" | "value">;
  readonly writer: Pick<ChainWriter, "putValue">;
  readonly settings: Pick<SyncSettings, "publicKey" | "feeTokens" | "sourceName">;
  readonly onPinned: (message: KeyPinned) => void;
}

type KeyKeeping = Pick<IdentityDeps, "writer" | "onPinned"> & {
  readonly chain: Pick<StoredChainReader, "value">;
  readonly settings: Pick<SyncSettings, "publicKey">;
};

/**
 * Returns the hash of the gateway's block 0 if it differs from the stored one. For a chain made from a
 * snapshot, its oldest stored block is compared instead.
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
 * Returns the pinned key that the newest stored blocks are signed with; `undefined` until a block is stored.
 *
 * @throws {StorageError} STORAGE_DAMAGED when the stored value is not a key
 */
export function keptPublicKey(chain: Pick<StoredChainReader, "value">): Felt | undefined {
  const kept = chain.value(PUBLIC_KEY);
  if (kept === undefined) return undefined;
  if (kept.length === FELT_BYTES) return feltFromBytes(kept);
  const message = `the public key stored in chain.db has ${kept.length} bytes, expected ${FELT_BYTES}: restore chain.db from a backup`;
  throw new StorageError("STORAGE_DAMAGED", message);
}

/**
 * Returns the key that must have signed each block: the configured one, else the pinned one, else the key
 * that the gateway reports, until {@link keepPublicKey} pins one.
 *
 * @throws {BlockRefused} `public_key`, `fee_token` when the gateway reports others than this chain has
 * @throws {NodeError} as the source does
 */
export async function requireIdentity(deps: IdentityDeps): Promise<Felt> {
  await requireFeeTokens(deps);
  const { source, chain, settings } = deps;
  const ours = settings.publicKey ?? keptPublicKey(chain);
  if (ours === undefined) return source.publicKey();
  const reported = await reportedKey(source);
  if (reported !== undefined && reported !== ours) {
    const origin = settings.publicKey === null ? "reported before" : "configured";
    const found = `${hexFromFelt(ours)} was ${origin}, ${settings.sourceName} reports ${hexFromFelt(reported)}`;
    refuse("public_key", null, `public key of the sequencer: ${found}`);
  }
  return ours;
}

/**
 * Pins the key that a stored block was signed with, unless a key is configured or already pinned; a
 * configured key is stored for `db check`. A key without a signed block is never pinned: a gateway may report
 * anything.
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

/**
 * Returns the gateway's key, or `undefined` if it reports none. Such a gateway is accepted: blocks must be
 * signed with the known key anyway.
 */
async function reportedKey(source: Pick<BlockSource, "publicKey">): Promise<Felt | undefined> {
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
    const found = `configured ${hexFromFelt(ours)}, ${settings.sourceName} reports ${hexFromFelt(theirs)}`;
    refuse("fee_token", null, `${name}: ${found}`);
  }
}
