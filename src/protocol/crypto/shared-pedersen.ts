import { FELT_BYTES } from "#base/primitives/index.ts";
import { pedersenBatchBytes } from "./pedersen.ts";

const PAIR_BYTES = 2 * FELT_BYTES;

const MAX_PAIRS = 4096;

/**
 * Number of pairs in a slice, the unit of work of a thread; smaller slices share too little of a batch's
 * inversion.
 */
const SLICE_PAIRS = 64;

/** Number of 32-bit control words before the page's pairs; their indexes follow. */
const CONTROL_WORDS = 16;

/** Number of the newest job; helpers wait for it to change. */
const JOB = 0;
/** Next free slice in the low bits, job number in the high bits. */
const NEXT = 1;
/** Number of slices of the job in the low bits, job number in the high bits. */
const LIMIT = 2;
const PAIRS = 3;
/** Number of finished slices of the job. */
const DONE = 4;

/**
 * Number of low bits of {@link NEXT} and {@link LIMIT} that hold a slice number: enough for 64 slices per
 * job, plus one claim per thread beyond the last slice.
 */
const SLICE_BITS = 12;
const SLICE_MASK = (1 << SLICE_BITS) - 1;

/** Highest job number; numbering then restarts at 1. */
const LAST_JOB = (1 << (31 - SLICE_BITS)) - 1;

/** Value of {@link JOB} after the page is closed. */
const CLOSED = -1;

interface Page {
  readonly control: Int32Array;
  readonly pairs: Uint8Array;
  readonly hashes: Uint8Array;
}

/** Creates the shared memory for Pedersen hashes between one requesting thread and its helpers. */
export function createPedersenPage(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * CONTROL_WORDS + MAX_PAIRS * (PAIR_BYTES + FELT_BYTES));
}

/**
 * Pedersen hashes of many pairs, shared with the threads that run {@link runPedersenHelper} on the same page;
 * helpers are optional. One thread submits jobs, and blocks until its hashes are done.
 *
 * A helper that dies during a job blocks the requesting thread forever: the node must then stop.
 */
export class SharedPedersen {
  readonly #page: Page;
  #job = 0;

  constructor(page: SharedArrayBuffer) {
    this.#page = pageOf(page);
  }

  /** See {@link pedersenBatchBytes}. */
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

  /** Releases the helpers. No job may be submitted afterwards. */
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
    // Slices can be claimed from here on.
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

/** Works on the jobs of a page until it is closed. Blocks the thread. */
export function runPedersenHelper(page: SharedArrayBuffer): void {
  const parts = pageOf(page);
  for (let job = 0; job !== CLOSED; job = Atomics.load(parts.control, JOB)) {
    hashSlices(parts);
    Atomics.wait(parts.control, JOB, job);
  }
}

/** Claims and hashes slices of the newest job until none is left. */
function hashSlices({ control, pairs, hashes }: Page): void {
  for (;;) {
    const next = Atomics.add(control, NEXT, 1);
    const limit = Atomics.load(control, LIMIT);
    // The numbers belong to different jobs: the claimed job ended, or a new one started in between.
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
