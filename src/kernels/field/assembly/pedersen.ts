import { Batch, BATCH_SCRATCH_BYTES } from "./batch";
import { Curve } from "./curve";
import { Felt } from "./felt";
import { MAX_POINTS, PedersenTables } from "./pedersen-tables";

/** Number of hashes with the narrow tables before the middle ones are built. */
const NARROW_HASHES: usize = 256;

/** Number of batched hashes before the wide tables are built; only trie updates reach it. */
const BATCH_HASHES: usize = 4096;

/** Number of hashes of a batch that are processed together; larger groups exceed the caches. */
const GROUP: usize = 64;

/** Points to sum per hash of a group, in the format of {@link PedersenTables.gather}. */
const LISTS: usize = heap.alloc(GROUP * MAX_POINTS * 4);
const COUNTS: usize = heap.alloc(GROUP * 4);

/** Partial sums per hash of a group, and shared scratch space. */
const MAX_SUMS: usize = MAX_POINTS / 2;
const SUMS: usize = heap.alloc(GROUP * MAX_SUMS * 64);
const SCRATCH: usize = heap.alloc(GROUP * MAX_SUMS * BATCH_SCRATCH_BYTES);

/** Direct-mapped memo: each slot holds the two arguments and the hash; a slot of zeros is free. */
const MEMO_SLOTS: usize = 16384;
const MEMO: usize = heap.alloc(MEMO_SLOTS * 96);

const WORK: usize = memory.data(128, 32);
const POINT: usize = memory.data(64, 32);
const ARGUMENTS: usize = memory.data(64, 32);
const INVERSE: usize = memory.data(32, 32);

let hashCount: usize = 0;
let batchHashCount: usize = 0;

/**
 * Pedersen hash: x of shift + low(a) P1 + high(a) P2 + low(b) P3 + high(b) P4, where low is the low 248 bits
 * and high the rest. Arguments and result are canonical felts.
 *
 * All added points differ in x: over one base they are sums of different windows, so of different magnitude
 * and far below half the order; no relation between the bases is known.
 */
export class Pedersen {
  /** out = H(a, b), with the memo. */
  static hash(out: usize, a: usize, b: usize): void {
    const slot = Pedersen.memoSlot(a, b);
    if (Felt.eq(slot, a) && Felt.eq(slot + 32, b) && !Felt.isZero(slot + 64)) {
      Felt.copy(out, slot + 64);
      return;
    }
    Felt.copy(ARGUMENTS, a);
    Felt.copy(ARGUMENTS + 32, b);
    Pedersen.prepare(1);
    Pedersen.hashAlone(out, ARGUMENTS);
    Felt.copy(slot, ARGUMENTS);
    Felt.copy(slot + 32, ARGUMENTS + 32);
    Felt.copy(slot + 64, out);
  }

  /** out = H of the two consecutive felts at `pair`; requires tables. */
  static hashAlone(out: usize, pair: usize): void {
    const end = LISTS + (PedersenTables.gather(LISTS, pair) << 2);
    Curve.fromAffine(WORK, Pedersen.point(LISTS));
    for (let at = LISTS + 4; at < end; at += 4) {
      memory.copy(POINT, Pedersen.point(at), 64);
      if ((load<u32>(at) & 1) != 0) Curve.negate(POINT);
      Curve.addAffine(WORK, POINT);
    }
    Felt.invMont(INVERSE, WORK + 64);
    Felt.mulMont(INVERSE, INVERSE, WORK);
    Felt.fromMont(out, INVERSE);
  }

  /**
   * out[i] = H(pairs[2 i], pairs[2 i + 1]) for i < count, without the memo; `out` may be `pairs`. Sums the
   * points of each hash pairwise, so that a group of hashes takes six inversions in total (seven with the
   * narrow tables): less than one per hash in groups of more than six.
   */
  static hashBatch(out: usize, pairs: usize, count: usize): void {
    Pedersen.prepareBatch(count);
    for (let done: usize = 0; done < count; done += GROUP) {
      const size = min(count - done, GROUP);
      if (size == 1) Pedersen.hashAlone(out + (done << 5), pairs + (done << 6));
      else Pedersen.hashGroup(out + (done << 5), pairs + (done << 6), size);
    }
  }

  static hashGroup(out: usize, pairs: usize, size: usize): void {
    let largest: u32 = 1;
    for (let i: usize = 0; i < size; i++) {
      const count = PedersenTables.gather(Pedersen.list(i), pairs + (i << 6));
      store<u32>(COUNTS + (i << 2), count);
      largest = max(largest, count);
    }
    while (largest > 1) {
      Pedersen.halve(size);
      largest = (largest + 1) >> 1;
    }
    for (let i: usize = 0; i < size; i++) {
      Felt.fromMont(out + (i << 5), Pedersen.point(Pedersen.list(i)));
    }
  }

  /** Adds neighbouring points in every list; an odd last point moves up. */
  static halve(size: usize): void {
    Batch.begin();
    let scratch = SCRATCH;
    for (let i = size; i > 0; i--) {
      const list = Pedersen.list(i - 1);
      for (let k = load<u32>(COUNTS + ((i - 1) << 2)) >> 1; k > 0; k--) {
        const pair = list + ((k - 1) << 3);
        Batch.prepare(Pedersen.point(pair), Pedersen.point(pair + 4), scratch);
        scratch += BATCH_SCRATCH_BYTES;
      }
    }
    Batch.invert();
    // Processed forward, so that a result overwrites only points already read.
    for (let i: usize = 0; i < size; i++) {
      const list = Pedersen.list(i);
      const count = load<u32>(COUNTS + (i << 2));
      const half = count >> 1;
      let sum = SUMS + i * MAX_SUMS * 64;
      for (let k: u32 = 0; k < half; k++) {
        const pair = list + (k << 3);
        const p = Pedersen.point(pair);
        const q = Pedersen.point(pair + 4);
        // A sum that starts with a subtracted point is itself subtracted.
        const sign = load<u32>(pair) & 1;
        const differs = 0 - <u64>(sign ^ (load<u32>(pair, 4) & 1));
        scratch -= BATCH_SCRATCH_BYTES;
        if (count == 2) Batch.finishX(sum, p, q, differs, scratch);
        else Batch.finish(sum, p, q, differs, scratch);
        store<u32>(list + (k << 2), (<u32>sum) | sign);
        sum += 64;
      }
      if ((count & 1) != 0) store<u32>(list + (half << 2), load<u32>(list + ((count - 1) << 2)));
      store<u32>(COUNTS + (i << 2), (count + 1) >> 1);
    }
  }

  @inline
  static list(index: usize): usize {
    return LISTS + index * MAX_POINTS * 4;
  }

  /** Address of a listed point without its sign bit. */
  @inline
  static point(at: usize): usize {
    return <usize>(load<u32>(at) & ~1);
  }

  static memoSlot(a: usize, b: usize): usize {
    const mixed =
      (load<u64>(a) ^ rotl(load<u64>(a, 8), 17) ^ rotl(load<u64>(a, 24), 43)) * 0x9e3779b97f4a7c15 +
      (load<u64>(b) ^ rotl(load<u64>(b, 8), 29) ^ rotl(load<u64>(b, 24), 11));
    return MEMO + <usize>((mixed * 0xd6e8feb86659fd93) >> 50) * 96;
  }

  /** Ensures that tables exist; selects larger ones as usage grows. */
  static prepare(count: usize): void {
    hashCount += count;
    if (hashCount > NARROW_HASHES) PedersenTables.useMiddle();
    else PedersenTables.useNarrow();
  }

  static prepareBatch(count: usize): void {
    if (count > 1) batchHashCount += count;
    if (batchHashCount > BATCH_HASHES) PedersenTables.useWide();
    else Pedersen.prepare(count);
  }
}
