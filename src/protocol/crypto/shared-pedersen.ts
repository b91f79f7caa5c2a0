import { FELT_BYTES } from "#base/primitives/index.ts";
import { pedersenBatchBytes } from "./pedersen.ts";

const PAIR_BYTES = 2 * FELT_BYTES;

/** Most pairs of a job. */
const MAX_PAIRS = 4096;

/** Pairs that a thread hashes at a time; fewer share too little of a batch's inversion. */
const SLICE_PAIRS = 64;

/** 32-bit words of the page before its pairs: see below. */
const CONTROL_WORDS = 16;

/** The newest job; those who help wait for it to change. */
const JOB = 0;
/** The slice that is taken next, behind the number of its job. */
const NEXT = 1;
/** The number of the job's slices, behind the number of the job. */
const LIMIT = 2;
/** Pairs of the job. */
const PAIRS = 3;
/** Slices of the job that are done. */
const DONE = 4;

/** Bits of {@link NEXT} and {@link LIMIT} for slices: {@link MAX_PAIRS} come to 64. */
const SLICE_BITS = 12;
const SLICE_MASK = (1 << SLICE_BITS) - 1;

/** Jobs have numbers from 1 to this; then they begin anew. */
const LAST_JOB = (1 << (31 - SLICE_BITS)) - 1;

/** In the place of {@link JOB}: nobody asks any more. */
const CLOSED = -1;

/** Where the parts of a page are. */
interface Page {
  readonly control: Int32Array;
  readonly pairs: Uint8Array;
  readonly hashes: Uint8Array;
}

/** Shared memory for Pedersen hashes between one thread that asks and others that help. */
export function createPedersenPage(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * CONTROL_WORDS + MAX_PAIRS * (PAIR_BYTES + FELT_BYTES));
}

/**
 * Pedersen hashes of many pairs, shared with the threads that run {@link helpPedersen} on the same page;
 * none has to. One thread asks, and blocks until its hashes are there.
 *
 * A thread that dies while it helps leaves who asks waiting: the node has to stop then.
 */
export class SharedPedersen {
  readonly #page: Page;
  #job = 0;

  constructor(page: SharedArrayBuffer) {
    this.#page = pageOf(page);
  }

  /** As {@link pedersenBatchBytes}. */
  readonly pairs = (bytes: Uint8Array): Uint8Array => {
    if (bytes.length < 2 * SLICE_PAIRS * PAIR_BYTES || bytes.length % PAIR_BYTES !== 0) {
      return pedersenBatchBytes(bytes);
    }
    const hashes = new Uint8Array(bytes.length / 2);
    for (let from = 0; from < bytes.length; from += MAX_PAIRS * PAIR_BYTES) {
      const part = bytes.subarray(from, from + MAX_PAIRS * PAIR_BYTES);
      hashes.set(this.#share(part), from / 2);
    }
    return hashes;
  };

  /** Lets those go who help. Nothing may be asked any more. */
  close(): void {
    const { control } = this.#page;
    Atomics.store(control, JOB, CLOSED);
    Atomics.notify(control, JOB);
  }

  #share(part: Uint8Array): Uint8Array {
    const { control, pairs, hashes } = this.#page;
    const count = part.length / PAIR_BYTES;
    const slices = Math.ceil(count / SLICE_PAIRS);
    this.#job = this.#job === LAST_JOB ? 1 : this.#job + 1;
    pairs.set(part);
    Atomics.store(control, PAIRS, count);
    Atomics.store(control, DONE, 0);
    Atomics.store(control, LIMIT, (this.#job << SLICE_BITS) | slices);
    // From here on slices can be taken.
    Atomics.store(control, NEXT, this.#job << SLICE_BITS);
    Atomics.store(control, JOB, this.#job);
    Atomics.notify(control, JOB);
    hashSlices(this.#page);
    for (let done = Atomics.load(control, DONE); done < slices;) {
      Atomics.wait(control, DONE, done);
      done = Atomics.load(control, DONE);
    }
    return hashes.subarray(0, count * FELT_BYTES);
  }
}

/** Helps whoever asks on a page; returns when nobody does any more. Blocks the thread. */
export function helpPedersen(page: SharedArrayBuffer): void {
  const parts = pageOf(page);
  for (let job = 0; job !== CLOSED; job = Atomics.load(parts.control, JOB)) {
    hashSlices(parts);
    Atomics.wait(parts.control, JOB, job);
  }
}

/** Hashes slices of the newest job until all are taken. */
function hashSlices({ control, pairs, hashes }: Page): void {
  for (;;) {
    const next = Atomics.add(control, NEXT, 1);
    const limit = Atomics.load(control, LIMIT);
    // Another job's number: it was over, or was begun in between.
    if (next >> SLICE_BITS !== limit >> SLICE_BITS) return;
    const slices = limit & SLICE_MASK;
    const slice = next & SLICE_MASK;
    if (slice >= slices) return;
    const from = slice * SLICE_PAIRS;
    const to = Math.min(from + SLICE_PAIRS, Atomics.load(control, PAIRS));
    hashes.set(
      pedersenBatchBytes(pairs.subarray(from * PAIR_BYTES, to * PAIR_BYTES)),
      from * FELT_BYTES,
    );
    if (Atomics.add(control, DONE, 1) + 1 === slices) Atomics.notify(control, DONE);
  }
}

function pageOf(page: SharedArrayBuffer): Page {
  const pairsAt = 4 * CONTROL_WORDS;
  const hashesAt = pairsAt + MAX_PAIRS * PAIR_BYTES;
  return {
    control: new Int32Array(page, 0, CONTROL_WORDS),
    pairs: new Uint8Array(page, pairsAt, MAX_PAIRS * PAIR_BYTES),
    hashes: new Uint8Array(page, hashesAt, MAX_PAIRS * FELT_BYTES),
  };
}
