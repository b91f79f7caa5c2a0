import { DecodeError, ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type BlockBundle, decodeBundle } from "#protocol/chain/index.ts";
import {
  type Attempted,
  type ObjectStore,
  putOnce,
  retrying,
  type StoreWaiting,
} from "#io/objects/index.ts";
import { blockKey, BLOCKS, blockOfKey } from "./keys.ts";

/** Most bytes of a bundle: what the block limits of every protocol version are far below. */
export const MAX_BUNDLE_BYTES = 256 * 2 ** 20;

/** Keys asked for in one listing. */
const PAGE = 1_000;

/**
 * What publishing a block came to: its object is ours, or says the same; or it is another block's, of the
 * epoch that is told, `null` where it cannot be read; or nobody waits any longer, and it is not known.
 */
export type Publication =
  | { readonly kind: "published" }
  | { readonly kind: "taken"; readonly epoch: number | null }
  | { readonly kind: "stopped" };

/** Who waits for a publication. */
export interface PublicationWaiter {
  /** Hears after each attempt that did not decide why it did not. */
  readonly onWaiting: (reason: string) => void;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** The bundles of a chain's published blocks, one object each. */
export class BundleStore {
  readonly #objects: ObjectStore;
  readonly #timer: Timer;

  constructor(objects: ObjectStore, timer: Timer) {
    this.#objects = objects;
    this.#timer = timer;
  }

  /** As {@link ObjectStore.name}. */
  get name(): string {
    return this.#objects.name;
  }

  /**
   * Attempts something with the store until it is decided, however long that takes.
   *
   * @returns `stopped` when nobody waits any longer
   */
  async decide(
    attempt: () => Promise<Attempted<Publication>>,
    { onWaiting, signal }: PublicationWaiter,
  ): Promise<Publication> {
    const options = {
      timer: this.#timer,
      signal,
      onWaiting: ({ why }: StoreWaiting) => onWaiting(why),
    };
    return unlessStopped(retrying(attempt, options));
  }

  /**
   * Publishes a block, unless there is another one of its number. An attempt whose outcome is not known is
   * made again until it is, however long that takes.
   *
   * Two objects of one block and one epoch are the same publication, whatever else they tell: a class may
   * be written in more than one way.
   */
  async publish(
    blockNumber: number,
    bytes: Uint8Array,
    { onWaiting, signal }: PublicationWaiter,
  ): Promise<Publication> {
    const put = async (): Promise<Publication> => {
      const outcome = await putOnce(this.#objects, blockKey(blockNumber), bytes, {
        timer: this.#timer,
        signal,
        onWaiting: ({ why }) => onWaiting(why),
      });
      if (outcome.kind === "ours") return { kind: "published" };
      const theirs = readBundle(outcome.bytes);
      if (isSamePublication(theirs, readBundle(bytes))) return { kind: "published" };
      return { kind: "taken", epoch: theirs?.epoch ?? null };
    };
    return unlessStopped(put());
  }

  /**
   * The bundle of a block, as it is stored.
   *
   * @throws {ObjectStoreError} as {@link ObjectStore.get}
   */
  async read(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return (await this.#objects.get(blockKey(blockNumber), MAX_BUNDLE_BYTES))?.bytes;
  }

  /**
   * Numbers of published blocks above one, ascending, as one listing tells them.
   *
   * @param after - -1: from block 0 on
   * @returns none: there are no more
   * @throws {ObjectStoreError} as {@link ObjectStore.list}
   */
  async numbersAfter(after: number): Promise<readonly number[]> {
    const key = after < 0 ? undefined : blockKey(after);
    const listed = await this.#objects.list(BLOCKS, key, PAGE);
    return listed.flatMap((object) => blockOfKey(object.key) ?? []);
  }

  /**
   * The highest published number, found in steps that double.
   *
   * @param from - below which the answer is not looked for; -1: no block is known
   * @returns `from` where nothing is above it
   * @throws {ObjectStoreError} as {@link ObjectStore.list}
   */
  async newest(from: number): Promise<number> {
    let known = from;
    let stepBlocks = 1;
    for (;;) {
      const last = (await this.numbersAfter(known + stepBlocks - 1)).at(-1);
      if (last !== undefined) {
        known = last;
        stepBlocks *= 2;
      } else if (stepBlocks > 1) stepBlocks = 1;
      else return known;
    }
  }
}

async function unlessStopped(work: Promise<Publication>): Promise<Publication> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ObjectStoreError) || error.code !== "OBJECT_STORE_STOPPED") throw error;
    return { kind: "stopped" };
  }
}

/**
 * A stored bundle.
 *
 * @returns `undefined` when it is none
 */
export function readBundle(bytes: Uint8Array): BlockBundle | undefined {
  try {
    return decodeBundle(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Whether bundles are of one block, made in one epoch. */
export function isSamePublication(a: BlockBundle | undefined, b: BlockBundle | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.block.header.hash === b.block.header.hash && a.epoch === b.epoch;
}
