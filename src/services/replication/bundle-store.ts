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

/** Maximum size of a bundle in bytes; far above the block limits of every protocol version. */
export const MAX_BUNDLE_BYTES = 256 * 2 ** 20;

const PAGE = 1_000;

/**
 * Outcome of publishing a block.
 *
 * - `published`: the stored object is ours, or is the same publication.
 * - `taken`: the number holds another block, of epoch `epoch`; `null` if that block cannot be read.
 * - `stopped`: the caller cancelled, and the outcome is unknown.
 */
export type Publication =
  | { readonly kind: "published" }
  | { readonly kind: "taken"; readonly epoch: number | null }
  | { readonly kind: "stopped" };

/** Caller that waits for a publication. */
export interface PublicationWaiter {
  /** Called with the reason after each attempt that did not decide the outcome. */
  readonly onWaiting: (reason: string) => void;
  readonly signal: AbortSignal;
}

/** Object store of published bundles: one object per block. */
export class BundleStore {
  readonly #objects: ObjectStore;
  readonly #timer: Timer;

  constructor(objects: ObjectStore, timer: Timer) {
    this.#objects = objects;
    this.#timer = timer;
  }

  get name(): string {
    return this.#objects.name;
  }

  /**
   * Retries `attempt` without a time limit until it decides the outcome.
   *
   * @returns `stopped` when the caller cancelled
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
   * Publishes a block, unless the store has another block of that number. Retries an attempt whose outcome is
   * unknown, without a time limit.
   *
   * Two bundles with the same block and epoch count as the same publication even if their bytes differ: a
   * class can be encoded in more than one way.
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
   * Returns the stored bundle of a block; `undefined` if the store has none.
   *
   * @throws {ObjectStoreError} as {@link ObjectStore.get}
   */
  async read(blockNumber: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return (await this.#objects.get(blockKey(blockNumber), MAX_BUNDLE_BYTES))?.bytes;
  }

  /**
   * Returns published block numbers greater than `after`, ascending, from a single listing.
   *
   * @param after - `-1` to start at block 0
   * @returns an empty list when there are no more
   * @throws {ObjectStoreError} as {@link ObjectStore.list}
   */
  async numbersAfter(after: number): Promise<readonly number[]> {
    const key = after < 0 ? undefined : blockKey(after);
    const listed = await this.#objects.list(BLOCKS, key, PAGE);
    return listed.flatMap((object) => blockOfKey(object.key) ?? []);
  }

  /**
   * Finds the highest published block number, in steps that double.
   *
   * @param from - lower bound of the search; `-1` if no block is known
   * @returns `from` if no higher block is published
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
 * Decodes a stored bundle.
 *
 * @returns `undefined` if the bytes are not a bundle
 */
export function readBundle(bytes: Uint8Array): BlockBundle | undefined {
  try {
    return decodeBundle(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Whether two bundles hold the same block, made in the same epoch. */
export function isSamePublication(a: BlockBundle | undefined, b: BlockBundle | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.block.header.hash === b.block.header.hash && a.epoch === b.epoch;
}
