import { invariant } from "#base/errors/index.ts";
import { type Felt, FELT_BYTES, writeFelt } from "#base/primitives/index.ts";

const INITIAL_BYTES = 256;
const TWO_POW_32 = 0x1_0000_0000;

/**
 * Writes the project's binary form: little-endian base-128 integers, felts as one length byte and their
 * minimal big-endian bytes, length-prefixed text and byte strings.
 *
 * Every value has exactly one form, so equal values have equal bytes.
 */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  /** @param sizeHint - expected size in bytes; the buffer grows as needed */
  constructor(sizeHint: number = INITIAL_BYTES) {
    this.#bytes = new Uint8Array(Math.max(sizeHint, FELT_BYTES * 2));
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  /** Writes one byte, 0 to 255. */
  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes a boolean as 0 or 1. */
  bool(value: boolean): void {
    this.u8(value ? 1 : 0);
  }

  /**
   * Writes an integer in `[0, 2^53)`, seven bits per byte, low bits first.
   *
   * @throws {InvariantError} for other numbers
   */
  varint(value: number): void {
    invariant(Number.isSafeInteger(value) && value >= 0, `not an unsigned integer: ${value}`);
    this.#reserve(8);
    let rest = value;
    while (rest >= TWO_POW_32) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /**
   * Writes an unsigned integer below 2^256 (felts, u64, u128, L1 hashes): a length byte, then that many
   * big-endian bytes without leading zeros. 0 is the single byte 0.
   *
   * @throws {InvariantError} for other integers
   */
  uint(value: bigint): void {
    this.#reserve(FELT_BYTES + 9);
    const start = this.#length + 1;
    if (value <= 0xffff_ffffn) {
      invariant(value >= 0n, "an unsigned integer is negative");
      this.#small(Number(value));
      return;
    }
    let width = 8;
    if (value <= 0xffff_ffff_ffff_ffffn) {
      this.#view.setBigUint64(start, value);
    } else {
      invariant(value >> 256n === 0n, "an unsigned integer has more than 256 bits");
      writeFelt(this.#view, start, value);
      width = FELT_BYTES;
    }
    let zeros = 0;
    while (this.#bytes[start + zeros] === 0) zeros++;
    if (zeros > 0) this.#bytes.copyWithin(start, start + zeros, start + width);
    this.#bytes[start - 1] = width - zeros;
    this.#length = start + width - zeros;
  }

  felt(value: Felt): void {
    this.uint(value);
  }

  /** Writes bytes without a length; the reader must know their number. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes a length-prefixed byte string. */
  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Writes text as UTF-8, prefixed by its length in bytes. Lone surrogates become U+FFFD. */
  text(text: string): void {
    this.bytes(encoder.encode(text));
  }

  /** Writes a count, then each item with `write`. */
  array<T>(items: readonly T[], write: (writer: ByteWriter, item: T) => void): void {
    this.varint(items.length);
    for (const item of items) write(this, item);
  }

  /** Writes a count and that many felts. */
  felts(values: readonly Felt[]): void {
    this.varint(values.length);
    for (const value of values) this.uint(value);
  }

  /** Writes 0 for `null`, otherwise 1 and the value with `write`. */
  nullable<T>(value: T | null, write: (writer: ByteWriter, value: T) => void): void {
    this.bool(value !== null);
    if (value !== null) write(this, value);
  }

  /** Returns a copy of the bytes written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #small(value: number): void {
    let width = 0;
    if (value > 0xff_ffff) width = 4;
    else if (value > 0xffff) width = 3;
    else if (value > 0xff) width = 2;
    else if (value > 0) width = 1;
    this.#bytes[this.#length++] = width;
    for (let shift = 8 * (width - 1); shift >= 0; shift -= 8) {
      this.#bytes[this.#length++] = value >>> shift;
    }
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

const encoder = new TextEncoder();
