import { DecodeError } from "#base/errors/index.ts";
import { type Felt, FELT_BYTES, FIELD_PRIME, readFelt } from "#base/primitives/index.ts";

/**
 * Reads the binary form that {@link ByteWriter} writes, from bytes that may be hostile.
 *
 * No read goes past the end. No count allocates more than one element per remaining byte. Forms that the
 * writer never produces (longer than needed, out of range) are refused.
 *
 * Every method throws {@link DecodeError}, whose path names the offset: `bundle[17]`.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #name: string;
  #offset = 0;
  /** List items that may still be read. */
  #itemsLeft: number;

  /**
   * @param name - name of the bytes in error paths
   * @param maxItems - limit for the items of all lists together, nested ones included: an item takes far more
   *   memory than the single byte that may encode it
   */
  constructor(bytes: Uint8Array, name = "bytes", maxItems = Number.POSITIVE_INFINITY) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#name = name;
    this.#itemsLeft = maxItems;
  }

  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  /**
   * Rejects the input at `at`.
   *
   * @throws {DecodeError} always
   */
  fail(expected: string, at: number = this.#offset): never {
    throw new DecodeError(`${this.#name}[${at}]`, expected);
  }

  u8(): number {
    const value = this.#bytes[this.#offset];
    if (value === undefined) return this.fail("another byte");
    this.#offset++;
    return value;
  }

  bool(): boolean {
    const at = this.#offset;
    const value = this.u8();
    if (value > 1) return this.fail("0 or 1", at);
    return value === 1;
  }

  /** Reads an integer in `[0, 2^53)` in its shortest form. */
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

  /** Reads an integer in `[0, limit)`, for tags and enumerations. */
  index(limit: number, what: string): number {
    const at = this.#offset;
    const value = this.varint();
    if (value >= limit) return this.fail(what, at);
    return value;
  }

  /** Reads an unsigned integer of at most `bits` bits (a multiple of 8, up to 256) in its shortest form. */
  uint(bits: number): bigint {
    const at = this.#offset;
    const width = this.u8();
    if (width > bits >> 3) return this.fail(`unsigned integer of at most ${bits} bits`, at);
    if (width === 0) return 0n;
    const start = this.#take(width);
    if (this.#bytes[start] === 0) return this.fail("integer without leading zeros", at);
    return uintFromBytes(this.#view, start, width);
  }

  /** Reads a canonical felt. */
  felt(): Felt {
    const at = this.#offset;
    const value = this.uint(256);
    if (value >= FIELD_PRIME) return this.fail("felt below the Stark prime", at);
    return value;
  }

  /** Reads `length` bytes as a view into the source. */
  raw(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** Returns the bytes read since offset `start`, as a view into the source. */
  since(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#offset);
  }

  /** Reads a length-prefixed byte string as a view into the source. */
  bytes(): Uint8Array {
    return this.raw(this.varint());
  }

  /** Reads length-prefixed UTF-8 text. */
  text(): string {
    const at = this.#offset;
    const bytes = this.bytes();
    try {
      return decoder.decode(bytes);
    } catch {
      return this.fail("UTF-8 text", at);
    }
  }

  /** Reads a count and that many items; each item takes at least one byte. */
  array<T>(read: (reader: ByteReader) => T): T[] {
    const count = this.count();
    const items: T[] = [];
    for (let i = 0; i < count; i++) items.push(read(this));
    return items;
  }

  /** Reads a count and that many felts. */
  felts(): Felt[] {
    const count = this.count();
    const values: Felt[] = [];
    for (let i = 0; i < count; i++) values.push(this.felt());
    return values;
  }

  /** Reads a count of items that take at least one byte each. */
  count(): number {
    const at = this.#offset;
    const count = this.varint();
    if (count > this.remaining)
      return this.fail("count of at most one item per remaining byte", at);
    this.#itemsLeft -= count;
    if (this.#itemsLeft < 0) return this.fail("no more items than the limit", at);
    return count;
  }

  /** Reads `null`, or a value with `read`. */
  nullable<T>(read: (reader: ByteReader) => T): T | null {
    return this.bool() ? read(this) : null;
  }

  /** Asserts that no bytes are left. */
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

/** Reads a big-endian unsigned integer of `width` bytes (0 to 32) at `start`. */
export function uintFromBytes(view: DataView, start: number, width: number): bigint {
  if (width === FELT_BYTES) return readFelt(view, start);
  const end = start + width;
  let at = start + (width & 7);
  let value = readSmallUint(view, start, width & 7);
  for (; at < end; at += 8) value = (value << 64n) | view.getBigUint64(at);
  return value;
}

/** Reads a big-endian unsigned integer of 0 to 7 bytes; callers never pass a larger `width`. */
function readSmallUint(view: DataView, start: number, width: number): bigint {
  let high = 0;
  let at = start;
  for (; at < start + width - 4; at++) high = high * 256 + view.getUint8(at);
  let low = 0;
  for (; at < start + width; at++) low = low * 256 + view.getUint8(at);
  if (high === 0) return BigInt(low);
  return (BigInt(high) << 32n) | BigInt(low);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
