import type { BlockBundle } from "#protocol/chain/index.ts";
import type { Attempted } from "#io/objects/index.ts";
import type { Predecessor } from "#services/sequencer/index.ts";
import { type BundleStore, type Publication, readBundle } from "./bundle-store.ts";

/** Dependencies of {@link confirmPredecessor}. */
export interface ConfirmDeps {
  readonly bundles: Pick<BundleStore, "read" | "name">;
  /**
   * Whether a bundle belongs to the chain: its hash matches its header and is signed with the chain's key.
   */
  readonly isOfChain: (bundle: BlockBundle) => boolean;
}

/**
 * Reads back the predecessor of the block that is about to be published. A store that confirmed a block and
 * then lost it would let two sequencers publish one branch each.
 *
 * A predecessor from this sequencer's epoch must be stored with its hash and epoch, one from an earlier epoch
 * with its hash and the chain's signature. Another block of the chain means a takeover (`taken`). A missing
 * object, or one that the chain's key has not signed, is a fault of the store: the check is retried.
 *
 * @throws {ObjectStoreError} as {@link BundleStore.read}
 */
export async function confirmPredecessor(
  { blockNumber, hash, epoch }: Predecessor,
  { bundles, isOfChain }: ConfirmDeps,
): Promise<Attempted<Publication>> {
  const again = (what: string): Attempted<Publication> => ({
    kind: "again",
    why: `${bundles.name}: block ${blockNumber} is published, and the store ${what}`,
  });
  const bytes = await bundles.read(blockNumber);
  if (bytes === undefined) return again("does not have it");
  const bundle = readBundle(bytes);
  if (bundle?.block.header.number !== blockNumber) return again("has something else in its place");
  const isOurs = bundle.block.header.hash === hash && (epoch === null || bundle.epoch === epoch);
  if (isOurs && epoch !== null) return { kind: "done", result: { kind: "published" } };
  if (!isOfChain(bundle))
    return again("has a block in its place that the chain's key has not signed");
  const result = isOurs ? PUBLISHED : ({ kind: "taken", epoch: bundle.epoch } as const);
  return { kind: "done", result };
}

const PUBLISHED = { kind: "published" } as const satisfies Publication;
