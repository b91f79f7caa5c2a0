import { DecodeError, ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { type BlockBundle, decodeBundle } from "#protocol/chain/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import { blockKey, BLOCKS, blockOfKey } from "./keys.ts";

/** Most bytes of a bundle: what the block limits of every protocol version are far below. */
export const MAX_BUNDLE_BYTES = 512 * 2 ** 20;

/** Keys asked for in one listing. */
const PAGE = 1_000;

/** Shortest and longest pause between two attempts. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

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
  readonly #objects: Pick<ObjectStore, "get" | "list" | "putIfAbsent">;
  readonly #timer: Timer;

  constructor(objects: Pick<ObjectStore, "get" | "list" | "putIfAbsent">, timer: Timer) {
    this.#objects = objects;
    this.#timer = timer;
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
    const aborted = Promise.withResolvers<"aborted">();
    const abort = (): void => aborted.resolve("aborted");
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        const outcome = await Promise.race([this.#attempt(blockNumber, bytes), aborted.promise]);
        if (outcome === "aborted") return { kind: "stopped" };
        if (typeof outcome !== "string") return outcome;
        onWaiting(outcome);
        const pause = new Promise<void>((over) => void this.#timer.after(pauseMs, over));
        if ((await Promise.race([pause, aborted.promise])) === "aborted") {
          return { kind: "stopped" };
        }
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
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

  /** One attempt, or why it did not decide. */
  async #attempt(
    blockNumber: number,
    bytes: Uint8Array,
  ): Promise<Exclude<Publication, { kind: "stopped" }> | string> {
    try {
      const { kind } = await this.#objects.putIfAbsent(blockKey(blockNumber), bytes);
      if (kind === "stored") return { kind: "published" };
      if (kind === "conflict") return "another put is under way";
      const there = await this.read(blockNumber);
      if (there === undefined) return "the object is there and is not";
      return isSame(there, bytes) ? { kind: "published" } : compared(there, bytes);
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      if (error.code === "OBJECT_STORE_TOO_LARGE") return { kind: "taken", epoch: null };
      return error.message;
    }
  }
}

/** Whether two bundles tell the same block of the same epoch. */
function compared(there: Uint8Array, ours: Uint8Array): Exclude<Publication, { kind: "stopped" }> {
  const theirs = readBundle(there);
  const own = readBundle(ours);
  if (theirs === undefined) return { kind: "taken", epoch: null };
  return isSamePublication(theirs, own)
    ? { kind: "published" }
    : { kind: "taken", epoch: theirs.epoch };
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

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
