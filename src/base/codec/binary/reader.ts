import { DecodeError } from "#base/errors/index.ts";
import { type Felt, FELT_BYTES, FIELD_PRIME, readFelt } from "#base/primitives/index.ts";

/**
 * Reads what {@link ByteWriter} wrote, from bytes that may be hostile: no read goes past the end, no
 * count makes more than one element per byte that is left, and forms that the writer never makes
 * (longer than needed, out of range) are refused.
 *
 * Every method throws {@link DecodeError}, whose path tells the offset: `bundle[17]`.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #name: string;
  #offset = 0;
  /** Items that lists may still have. */
  #itemsLeft: number;

  /**
   * @param name - what the bytes are, for error paths
   * @param maxItems - of all lists together, one within another too: each takes far more memory than the
   *   byte that it may come with
   */
  constructor(bytes: Uint8Array, name = "bytes", maxItems = Number.POSITIVE_INFINITY) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#name = name;
    this.#itemsLeft = maxItems;
  }

  /** Position of the next byte. */
  get offset(): number {
    return this.#offset;
  }

  /** Number of bytes that are not read yet. */
  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  /**
   * Ends the reading of a value at the current place.
   *
   * @throws {DecodeError} always
   */
  fail(expected: string, at: number = this.#offset): never {
    throw new DecodeError(`${this.#name}[${at}]`, expected);
  }

  /** One byte. */
  u8(): number {
    const value = this.#bytes[this.#offset];
    if (value === undefined) return this.fail("another byte");
    this.#offset++;
    return value;
  }

  /** A truth value. */
  bool(): boolean {
    const at = this.#offset;
    const value = this.u8();
    if (value > 1) return this.fail("0 or 1", at);
    return value === 1;
  }

  /** An integer in `[0, 2^53)` in its shortest form. */
  varint(): number {
    const at = this.#offset;
    let value = 0;
    let scale = 1;
    for (let count = 1; ; count++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (count > 8 || value > Number.MAX_SAFE_INTEGER) return this.fail("integer < 2^53", at);
      if (byte < 0x80) {
        if (byte === 0 && count > 1) return this.fail("integer in its shortest form", at);
        return value;
      }
      scale *= 128;
    }
  }

  /** An integer in `[0, limit)`, for tags and enumerations. */
  index(limit: number, what: string): number {
    const at = this.#offset;
    const value = this.varint();
    if (value >= limit) return this.fail(what, at);
    return value;
  }

  /** An unsigned integer of at most `bits` bits (a multiple of 8, up to 256) in its shortest form. */
  uint(bits: number): bigint {
    const at = this.#offset;
    const width = this.u8();
    if (width > bits >> 3) return this.fail(`unsigned integer of at most ${bits} bits`, at);
    if (width === 0) return 0n;
    const start = this.#take(width);
    if (this.#bytes[start] === 0) return this.fail("integer without leading zeros", at);
    return uintFromBytes(this.#view, start, width);
  }

  /** A canonical felt. */
  felt(): Felt {
    const at = this.#offset;
    const value = this.uint(256);
    if (value >= FIELD_PRIME) return this.fail("felt below the Stark prime", at);
    return value;
  }

  /** `length` bytes as a view into the source. */
  raw(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** What was read since offset `start`, as a view into the source. */
  since(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#offset);
  }

  /** A byte string behind its length, as a view into the source. */
  bytes(): Uint8Array {
    return this.raw(this.varint());
  }

  /** UTF-8 text behind its length. */
  text(): string {
    const at = this.#offset;
    const bytes = this.bytes();
    try {
      return decoder.decode(bytes);
    } catch {
      return this.fail("UTF-8 text", at);
    }
  }

  /** Items behind their count; each must take at least one byte. */
  array<T>(read: (reader: ByteReader) => T): T[] {
    const count = this.count();
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(read(this));
    return items;
  }

  /** Felts behind their count. */
  felts(): Felt[] {
    const count = this.count();
    const values: Felt[] = [];
    for (let i = 0; i < count; i++) values.push(this.felt());
    return values;
  }

  /** A count of items that take at least one byte each. */
  count(): number {
    const at = this.#offset;
    const count = this.varint();
    if (count > this.remaining) return this.fail("count of items that are there", at);
    this.#itemsLeft -= count;
    if (this.#itemsLeft < 0) return this.fail("no more items than there may be", at);
    return count;
  }

  /** `null`, or a value as `read` reads it. */
  nullable<T>(read: (reader: ByteReader) => T): T | null {
    return this.bool() ? read(this) : null;
  }

  /** Asserts that nothing is left. */
  end(): void {
    if (this.remaining > 0) this.fail("end of data");
  }

  #take(length: number): number {
    if (length > this.remaining) return this.fail(`${length} more bytes`);
    const start = this.#offset;
    this.#offset += length;
    return start;
  }
}

/** The big-endian unsigned integer of `width` bytes (0 to 32) at `start`. */
export function uintFromBytes(view: DataView, start: number, width: number): bigint {
  if (width === FELT_BYTES) return readFelt(view, start);
  const end = start + width;
  let at = start + (width & 7);
  let value = headOf(view, start, width & 7);
  for (; at < end; at += 8) value = (value << 64n) | view.getBigUint64(at);
  return value;
}

/** An unsigned integer of at most 7 bytes. */
function headOf(view: DataView, start: number, width: number): bigint {
  let high = 0;
  let at = start;
  for (; at < start + width - 4; at++) high = high * 256 + view.getUint8(at);
  let low = 0;
  for (; at < start + width; at++) low = low * 256 + view.getUint8(at);
  if (high === 0) return BigInt(low);
  return (BigInt(high) << 32n) | BigInt(low);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
