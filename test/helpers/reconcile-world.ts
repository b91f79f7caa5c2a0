import {
  blockKey,
  BundleStore,
  reconcile,
  type ReconcileEvent,
  type ReconcileOrder,
} from "#services/replication/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { encodeBundle } from "#test/helpers/bundle.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

/** A block of a chain that forks at a number. */
export interface Block {
  readonly number: number;
  readonly fork: number;
  readonly parentFork: number;
  readonly epoch: number;
}

/** A chain of `length` blocks; from `forkAt` on with those of another sequencer. */
export function chainOf(length: number, forkAt = Infinity, epoch = 1): Block[] {
  return Array.from({ length }, (_, number) => ({
    number,
    fork: number >= forkAt ? 1 : 0,
    parentFork: number > forkAt ? 1 : 0,
    epoch: number >= forkAt ? epoch : 0,
  }));
}

/** Converts a block of these tests to one that can be stored. */
export const commitOf = ({ number, fork, parentFork, epoch }: Block) => ({
  ...blockCommit(number, { fork, parentFork }),
  epoch,
});

/** {@link ReconcileOrder} of a sequencer that will lead. */
export const LEADS: ReconcileOrder = {
  leads: true,
  isFollowed: false,
  isNew: false,
  publishedThrough: -1,
};
/** {@link ReconcileOrder} of a sequencer that will follow. */
export const FOLLOWS: ReconcileOrder = { ...LEADS, leads: false };

/**
 * A stored chain and a store with a published one, with the result of reconciling them.
 *
 * @param oldest - first stored block of a chain from a snapshot
 * @param isOfChain - whether published blocks have a valid signature
 */
export function reconcileWorld(
  stored: readonly Block[],
  published: readonly Block[],
  oldest = 0,
  isOfChain = true,
) {
  const blocks = [...stored];
  const objects = new MemoryObjectStore();
  for (const block of published) {
    objects.objects.set(blockKey(block.number), encodeBundle(commitOf(block)));
  }
  const events: ReconcileEvent[] = [];
  const end = new AbortController();
  const timer = {
    nowMs: () => 0,
    after(_delayMs: number, callback: () => void) {
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  const at = (number: number): Block | undefined => (number < oldest ? undefined : blocks[number]);
  const run = (order: ReconcileOrder) =>
    reconcile(order, {
      chain: {
        oldestBlock: () => oldest,
        latestNumber: () => (blocks.length === 0 ? undefined : blocks.length - 1),
        header: (number) => at(number) && commitOf(at(number) as Block).block.header,
        epoch: (number) => at(number)?.epoch,
        bundleBytes: (number) => at(number) && encodeBundle(commitOf(at(number) as Block)),
      },
      bundles: new BundleStore(objects, timer),
      revert(number) {
        blocks.length = number + 1;
        return Promise.resolve();
      },
      isOfChain: () => isOfChain,
      tell: (event) => events.push(event),
      timer,
      signal: end.signal,
    });
  const keys = () => [...objects.objects.keys()].sort();
  return { blocks, objects, events, end, run, keys };
}
