/**
 * Compares a sequencer's local chain with the published one at startup, and makes the two agree.
 *
 * A kill leaves at most one block that is committed but possibly unpublished. Larger differences come from
 * chains that were made without a store, data directories restored from a backup, and stores that lost
 * objects. The published chain always wins: local blocks that conflict with it are reverted.
 *
 * Crash safety: each step either puts a local block or reverts. A kill between two steps is harmless, because
 * the next start begins from scratch.
 */
import { ConfigError, NodeError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { BlockBundle } from "#protocol/chain/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { BundleStore } from "./bundle-store.ts";
import {
  type CommonBlock,
  type ForkBlock,
  highestCommon,
  type PublishedChain,
} from "./common-block.ts";
import { persistently } from "./persistently.ts";

/** Progress event of reconciling. */
export type ReconcileEvent =
  /** The store does not answer; the request is retried. */
  | { readonly kind: "waiting"; readonly reason: string }
  /** `done` of `total` stored blocks that were unpublished are now published. */
  | { readonly kind: "published"; readonly done: number; readonly total: number }
  /** The store had lost a block below other published blocks; it has been published again. */
  | { readonly kind: "filled"; readonly blockNumber: number }
  /** Stored blocks above `newestBlock` were reverted: unpublished, or replaced by published ones. */
  | { readonly kind: "unwound"; readonly newestBlock: number; readonly count: number };

/** Dependencies of {@link reconcile}. */
export interface ReconcileDeps {
  readonly chain: Pick<
    StoredChainReader,
    "bundleBytes" | "epoch" | "header" | "latestNumber" | "oldestBlock"
  >;
  readonly bundles: Pick<BundleStore, "newest" | "numbersAfter" | "publish" | "read">;
  /** Reverts the stored chain to this block; `-1` removes every block. */
  readonly revert: (blockNumber: number) => Promise<void>;
  /**
   * Whether a bundle belongs to the chain: its hash matches its header and is signed with the chain's key.
   */
  readonly isOfChain: (bundle: BlockBundle) => boolean;
  readonly tell: (event: ReconcileEvent) => void;
  readonly timer: Timer;
  /** Aborted when the start is cancelled. */
  readonly signal: AbortSignal;
}

/** What a starting sequencer knows of its stored chain before it compares it with the published one. */
export interface ReconcileOrder {
  /**
   * Whether this sequencer is going to produce blocks: unpublished blocks are then published, else reverted.
   */
  readonly leads: boolean;
  /** Whether the stored blocks were synced from other nodes, which means the store had all of them. */
  readonly isFollowed: boolean;
  /** Whether this start created the chain, so no other node has seen its blocks. */
  readonly isNew: boolean;
  /** Highest block up to which the store is known to have had every block; `-1` if nothing is known. */
  readonly publishedThrough: number;
}

/** Position of the stored chain in the published one, after reconciling. The stored chain is a prefix of the published one, starting at block 0. */
export interface ChainPosition {
  /** Newest stored block; `-1` if nothing is stored. */
  readonly storedBlock: number;
  /** Newest published block; `-1` if none. Blocks above {@link storedBlock} must be synced from the store. */
  readonly publishedBlock: number;
  /** Highest epoch of the stored chain and of the published blocks that were read. */
  readonly epoch: number;
}

/** Number of newest blocks that each start searches for objects the store has lost. */
const SEARCHED_BLOCKS = 10_000;

/**
 * Makes the stored chain a prefix of the published one. A leading sequencer has all its blocks published
 * afterwards.
 *
 * @throws {ConfigError} when the store belongs to another chain, or lacks blocks of a chain that is to follow
 * it
 * @throws {ObjectStoreError} when the store refuses a request
 * @throws {NodeError} NODE_STOPPED when the start is cancelled, NODE_STORE_CORRUPT when stored blocks would
 * have to be replaced by data that is not part of the chain
 * @throws {StorageError} when the chain cannot be reverted
 */
export async function reconcile(
  order: ReconcileOrder,
  deps: ReconcileDeps,
): Promise<ChainPosition> {
  for (;;) {
    const position = await reconcileOnce(order, deps);
    if (position !== undefined) return position;
  }
}

async function reconcileOnce(
  order: ReconcileOrder,
  deps: ReconcileDeps,
): Promise<ChainPosition | undefined> {
  const { chain, bundles } = deps;
  const ask = <T>(question: () => Promise<T>): Promise<T> =>
    persistently(question, {
      timer: deps.timer,
      signal: deps.signal,
      onWaiting: (reason) => deps.tell({ kind: "waiting", reason }),
    });
  const latest = (): number => chain.latestNumber() ?? -1;
  const searchFrom = Math.max(-1, order.publishedThrough - SEARCHED_BLOCKS);
  const publishedBlock = await ask(() => bundles.newest(searchFrom));
  const both = Math.min(publishedBlock, latest());
  const published: PublishedChain = { read: (number) => ask(() => bundles.read(number)) };
  const common = await highestCommon(both, { chain, published });
  if (common.blockNumber < both) {
    const oldest = chain.oldestBlock();
    if (common.blockNumber < oldest && !order.isNew) {
      throw nothingInCommon(oldest, common.fork);
    }
    requireOfChain(common, latest(), order, deps);
    await unwindTo(common.blockNumber, deps);
  }
  for (const lost of await lostBlocks(searchFrom, common.confirmed, bundles, ask)) {
    const bytes = chain.bundleBytes(lost);
    if (bytes === undefined) continue;
    await publish(lost, bytes, deps);
    deps.tell({ kind: "filled", blockNumber: lost });
  }
  const stored = latest();
  if (stored > publishedBlock && !order.leads && !order.isFollowed) {
    if (stored > publishedBlock + 1) {
      throw new ConfigError(
        `the data directory has ${stored - publishedBlock} blocks that the object store does not have: start once without --standby to publish them`,
      );
    }
    await unwindTo(publishedBlock, deps);
  }
  if (order.leads && !(await publishAll(publishedBlock + 1, deps))) return undefined;
  const epoch = Math.max(common.epoch, chain.epoch(latest()) ?? 0);
  return { storedBlock: latest(), publishedBlock: Math.max(publishedBlock, latest()), epoch };
}

/**
 * Error for a store and a data directory that share no block. If the store lost every block below the lowest
 * differing one, it may still be a fork of the same chain. That cannot be decided, so nothing is changed.
 */
function nothingInCommon(oldest: number, fork: ForkBlock | undefined): ConfigError {
  const lowest = fork?.number ?? oldest;
  return new ConfigError(
    lowest > oldest
      ? `the object store has no block from ${oldest} to ${lowest - 1}, and its block ${lowest} differs from the data directory's, so it cannot be verified that both have the same chain: restore its blocks, or configure the store of this chain`
      : `block ${oldest} of the object store differs from the data directory's: the store belongs to another chain`,
  );
}

/**
 * Requires that blocks which clients may have seen are replaced only by blocks signed with the chain's key:
 * write access to the store is not enough to revert them. The newest block is exempt, since it may never have
 * been announced.
 *
 * @throws {NodeError} NODE_STORE_CORRUPT when the store has anything else
 */
function requireOfChain(
  { blockNumber, fork }: CommonBlock,
  latest: number,
  { isNew }: ReconcileOrder,
  { isOfChain }: ReconcileDeps,
): void {
  if (fork === undefined || isNew || latest - blockNumber <= 1) return;
  const { number, bundle } = fork;
  if (bundle?.block.header.number === number && isOfChain(bundle)) return;
  throw new NodeError(
    "NODE_STORE_CORRUPT",
    `the object store has no block ${number} signed with the chain's key: the ${latest - blockNumber} stored blocks above ${blockNumber} are kept, and no block is built on them`,
  );
}

/** Publishes the stored blocks from `from` on. @returns `false` if another sequencer published one */
async function publishAll(from: number, deps: ReconcileDeps): Promise<boolean> {
  const latest = deps.chain.latestNumber() ?? -1;
  for (let number = from; number <= latest; number++) {
    const bytes = deps.chain.bundleBytes(number);
    if (bytes === undefined) {
      throw new ConfigError(
        `the object store has no block ${number}, and the data directory starts above it: configure the store of this chain`,
      );
    }
    if (!(await publish(number, bytes, deps))) return false;
    deps.tell({ kind: "published", done: number - from + 1, total: latest - from + 1 });
  }
  return true;
}

async function publish(
  blockNumber: number,
  bytes: Uint8Array,
  { bundles, signal, tell }: ReconcileDeps,
): Promise<boolean> {
  const onWaiting = (reason: string): void => tell({ kind: "waiting", reason });
  const outcome = await bundles.publish(blockNumber, bytes, { onWaiting, signal });
  if (outcome.kind === "stopped") {
    throw new NodeError("NODE_STOPPED", `stopped before block ${blockNumber} was published`);
  }
  return outcome.kind === "published";
}

async function unwindTo(
  blockNumber: number,
  { chain, revert, tell }: ReconcileDeps,
): Promise<void> {
  const count = (chain.latestNumber() ?? -1) - blockNumber;
  await revert(blockNumber);
  tell({ kind: "unwound", newestBlock: blockNumber, count });
}

/** Returns block numbers above `from` and up to `below` that the store has no object for. */
async function lostBlocks(
  from: number,
  below: number,
  bundles: Pick<BundleStore, "numbersAfter">,
  ask: <T>(question: () => Promise<T>) => Promise<T>,
): Promise<readonly number[]> {
  const lost: number[] = [];
  let seen = from;
  while (seen < below) {
    const after = seen;
    const numbers = await ask(() => bundles.numbersAfter(after));
    for (const number of numbers.filter((n) => n <= below)) {
      for (let missing = seen + 1; missing < number; missing++) lost.push(missing);
      seen = number;
    }
    if (numbers.length === 0 || seen === after) break;
  }
  return lost;
}
