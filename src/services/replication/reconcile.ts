/**
 * What a sequencer's stored chain and the published one are to each other when it starts, and making them one.
 *
 * A kill leaves at most one block that is committed and of which nobody knows whether it was published. More
 * than that comes from chains that were made without a store, folders that were restored from a backup, and
 * stores that lost objects. What is published is the chain, whatever is stored: own blocks give way to it.
 *
 * What survives: each step is a put of an own block, or a revert. A kill between two of them is as if the
 * next start were the first one.
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

/** What reconciling tells. */
export type ReconcileEvent =
  /** The store does not answer; it is asked again. */
  | { readonly kind: "waiting"; readonly reason: string }
  /** `done` of `total` stored blocks are published that were not. */
  | { readonly kind: "published"; readonly done: number; readonly total: number }
  /** The store had lost a block that others are built on; it is there again. */
  | { readonly kind: "filled"; readonly blockNumber: number }
  /** Stored blocks above one are gone: others are published in their places, or they are not. */
  | { readonly kind: "unwound"; readonly newestBlock: number; readonly count: number };

/** What reconciling works with. */
export interface ReconcileDeps {
  readonly chain: Pick<
    StoredChainReader,
    "bundleBytes" | "epoch" | "header" | "latestNumber" | "oldestBlock"
  >;
  readonly bundles: Pick<BundleStore, "newest" | "numbersAfter" | "publish" | "read">;
  /** Makes a block the newest stored one; -1: there is none. */
  readonly revert: (blockNumber: number) => Promise<void>;
  /** Whether a bundle is one of the chain: its hash is that of its header, and signed by the chain's key. */
  readonly isOfChain: (bundle: BlockBundle) => boolean;
  readonly tell: (event: ReconcileEvent) => void;
  readonly timer: Timer;
  /** The start is called off. */
  readonly signal: AbortSignal;
}

/** Whose chain is reconciled. */
export interface ReconcileOrder {
  /** It is going to make blocks: those that are not published are. Else they are unwound. */
  readonly leads: boolean;
  /** The stored blocks were taken from others: the store had all of them. */
  readonly isFollowed: boolean;
  /** The chain was made at this start: nobody has heard of its blocks. */
  readonly isNew: boolean;
  /** The store had every block up to this one; -1: nothing is known. */
  readonly publishedThrough: number;
}

/** How the stored chain stands to the published one afterwards: it is a part of it, from block 0 on. */
export interface Standing {
  /** -1: nothing is stored. */
  readonly storedBlock: number;
  /** Above {@link storedBlock}: these blocks have to be taken from the store. -1: nothing is published. */
  readonly publishedBlock: number;
  /** Highest of the stored chain and of what was read of the published one. */
  readonly epoch: number;
}

/** How far back a store is searched for objects that it has lost, at each start. */
const SEARCHED_BLOCKS = 10_000;

/**
 * Makes the stored chain a part of the published one. A sequencer that leads has published all of its blocks
 * then.
 *
 * @throws {ConfigError} when the store is of another chain, or has not all of the blocks of a chain that is
 *   to follow it
 * @throws {ObjectStoreError} when the store refuses
 * @throws {NodeError} NODE_STOPPED when the start is called off, NODE_STORE_CORRUPT when blocks would give way
 *   to what is none of the chain
 * @throws {StorageError} when the chain cannot be reverted
 */
export async function reconcile(order: ReconcileOrder, deps: ReconcileDeps): Promise<Standing> {
  for (;;) {
    const standing = await reconcileOnce(order, deps);
    if (standing !== undefined) return standing;
  }
}

async function reconcileOnce(
  order: ReconcileOrder,
  deps: ReconcileDeps,
): Promise<Standing | undefined> {
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
        `the data directory has ${stored - publishedBlock} blocks that the object store has not: start it without --standby once, and they are published`,
      );
    }
    await unwindTo(publishedBlock, deps);
  }
  if (order.leads && !(await publishAll(publishedBlock + 1, deps))) return undefined;
  const epoch = Math.max(common.epoch, chain.epoch(latest()) ?? 0);
  return { storedBlock: latest(), publishedBlock: Math.max(publishedBlock, latest()), epoch };
}

/**
 * The store and the data directory share no block. Where the store lost every block below the lowest one that
 * differs, it may still be the same chain, which has forked: nobody can find out, and nothing is changed.
 */
function nothingInCommon(oldest: number, fork: ForkBlock | undefined): ConfigError {
  const lowest = fork?.number ?? oldest;
  return new ConfigError(
    lowest > oldest
      ? `the object store has no block from ${oldest} to ${lowest - 1} and another block ${lowest} than the data directory, so that nothing shows whether it has the same chain: restore its blocks, or give the store of this chain`
      : `the object store has another block ${oldest} than the data directory: it is another chain's`,
  );
}

/**
 * Blocks that clients were told of give way to others of the chain's key alone: whoever can write to a store
 * cannot take them back. The newest one may be what nobody was told of.
 *
 * @throws {NodeError} NODE_STORE_CORRUPT where the store has something else
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
    `what the object store has as block ${number} is none that the chain's key has signed: the ${latest - blockNumber} stored blocks above ${blockNumber} stay, and nothing is built on them`,
  );
}

/** Publishes the stored blocks from one on. @returns whether nobody else did */
async function publishAll(from: number, deps: ReconcileDeps): Promise<boolean> {
  const latest = deps.chain.latestNumber() ?? -1;
  for (let number = from; number <= latest; number++) {
    const bytes = deps.chain.bundleBytes(number);
    if (bytes === undefined) {
      throw new ConfigError(
        `the object store has no block ${number}, and the data directory begins above it: give the store of the chain`,
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

/** Numbers above one and below another that the store has no object of. */
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
