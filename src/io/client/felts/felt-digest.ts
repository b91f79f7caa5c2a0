import type { Felt } from "#base/primitives/index.ts";
import { writeHexFelt } from "./hex-felt.ts";

/** Number of felts covered by one hash of a {@link FeltDigest}; the last block may have fewer. */
export const FELTS_PER_BLOCK = 1024;

/** Size of an encoded felt and of a hash in bytes. */
const WIDTH = 32;

/**
 * Digest of a list of felts. Two lists of the same length with the same digest are equal, unless SHA-256 has
 * a collision.
 */
export class FeltDigest {
  readonly length: number;
  readonly #blocks: Uint8Array;

  /**
   * @param length - number of felts
   * @param blocks - concatenated SHA-256 hashes of each block of {@link FELTS_PER_BLOCK} felts
   */
  constructor(length: number, blocks: Uint8Array) {
    this.length = length;
    this.#blocks = blocks;
  }

  /** Memory use in bytes. */
  get sizeBytes(): number {
    return this.#blocks.byteLength;
  }

  /** SHA-256 of the hashes of all blocks, in lower-case hex. */
  get text(): string {
    return sha256(this.#blocks).toHex();
  }

  /**
   * Finds the first block in which two lists of the same length differ.
   *
   * @returns the indexes of the block's first and last felt; `undefined` if the lists are equal
   */
  firstDifference(other: FeltDigest): readonly [first: number, last: number] | undefined {
    const [ours, theirs] = [this.#blocks, other.#blocks];
    // Called for each call of a trace: most have the same lists.
    if (Buffer.compare(ours, theirs) === 0) return undefined;
    const at = ours.findIndex((byte, i) => byte !== theirs[i]);
    const first = Math.floor(at / WIDTH) * FELTS_PER_BLOCK;
    return [first, Math.min(first + FELTS_PER_BLOCK, this.length) - 1];
  }
}

/** Builds a {@link FeltDigest} from a sequence of felts. Each felt is hashed as 32 little-endian bytes. */
export class FeltDigester {
  readonly #block = new Uint8Array(FELTS_PER_BLOCK * WIDTH);
  readonly #view = new DataView(this.#block.buffer);
  #blocks = new Uint8Array(WIDTH);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Appends a felt from its `0x` hex text.
   *
   * @param bytes - ASCII text from `start` to `end`
   * @returns `false` if the text is not a felt; then only {@link clear} may follow
   */
  addHex(bytes: Uint8Array, start: number, end: number): boolean {
    const isFelt = writeHexFelt(this.#block, this.#offset(), bytes, start, end);
    this.#length++;
    return isFelt;
  }

  add(felt: Felt): void {
    const offset = this.#offset();
    // `setBigUint64` keeps only the low 64 bits.
    this.#view.setBigUint64(offset, felt, true);
    this.#length++;
    if (felt <= 0xffff_ffff_ffff_ffffn) return;
    this.#view.setBigUint64(offset + 8, felt >> 64n, true);
    this.#view.setBigUint64(offset + 16, felt >> 128n, true);
    this.#view.setBigUint64(offset + 24, felt >> 192n, true);
  }

  /** Felts of the current block: all felts, if they fit into one block. */
  felts(): Felt[] {
    return Array.from({ length: this.#inBlock() }, (_, i) => {
      const limb = (at: number): bigint => this.#view.getBigUint64(i * WIDTH + at, true);
      return (((((limb(24) << 64n) | limb(16)) << 64n) | limb(8)) << 64n) | limb(0);
    });
  }

  /** Returns the digest of all felts so far; only {@link clear} may follow. */
  digest(): FeltDigest {
    if (this.#inBlock() > 0) this.#flush();
    return new FeltDigest(this.#length, this.#blocks.slice(0, this.#digestsEnd()));
  }

  /** Resets to an empty list. */
  clear(): void {
    // Most lists are short.
    this.#block.fill(0, 0, (this.#inBlock() + 1) * WIDTH);
    this.#length = 0;
  }

  /** Returns the offset of the next felt; starts a new block once the current one is full. */
  #offset(): number {
    const index = this.#length % FELTS_PER_BLOCK;
    if (index === 0 && this.#length > 0) {
      this.#flush();
      this.#block.fill(0);
    }
    return index * WIDTH;
  }

  #inBlock(): number {
    return this.#length === 0 ? 0 : ((this.#length - 1) % FELTS_PER_BLOCK) + 1;
  }

  #digestsEnd(): number {
    return Math.ceil(this.#length / FELTS_PER_BLOCK) * WIDTH;
  }

  #flush(): void {
    const end = this.#digestsEnd();
    if (end > this.#blocks.byteLength) {
      const grown = new Uint8Array(end * 2);
      grown.set(this.#blocks);
      this.#blocks = grown;
    }
    const felts = this.#block.subarray(0, this.#inBlock() * WIDTH);
    this.#blocks.set(sha256(felts), end - WIDTH);
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(bytes).digest();
}
