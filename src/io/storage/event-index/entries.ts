import { DecodeError } from "#base/errors/index.ts";

/** Format version; first byte of every row. */
export const EVENT_INDEX_FORM = 1;

/**
 * Maximum size of a row in bytes. Four rows fit into a database page, and scanning a row takes about as long
 * as finding it.
 */
export const ROW_BYTES = 1000;

/** First number of a bitmap entry, before its length is added; above all numbers of lists. */
const BITMAP = 2048;

/** Maximum size of an offset list in bytes: two per block of a segment. */
const LIST_BYTES = 2 * 1024;

/** Row of a segment: its entries from `item` on. */
export interface SegmentRow {
  /** First item of the row; 0 for the first row of a segment, whatever its first item is. */
  readonly item: number;
  readonly entries: Uint8Array;
}

/**
 * Encodes the rows of a segment. A row is {@link EVENT_INDEX_FORM}, followed by an entry per item, in
 * ascending order. An entry is the difference to the previous item (to the row's `item` for the first one),
 * then the blocks with this item, as offsets from the segment's first block. The offsets are a list with
 * `2 * (difference to the previous offset) + (1 unless it is the last)` for each. If that is shorter, they
 * are `2048 + n` and n bytes of a bitmap, with offset i at `bytes[i >> 3]`. Numbers are LEB128.
 */
export class RowsWriter {
  readonly #rows: SegmentRow[] = [];
  readonly #bytes = new Uint8Array(ROW_BYTES);
  readonly #entry = new Uint8Array(LIST_BYTES);
  #length = 0;
  #first = 0;
  #last = 0;

  /**
   * Adds an item above all previous ones, with the first `count` of the given offsets: ascending, below 1024,
   * at least one.
   */
  add(item: number, offsets: Uint16Array, count: number): void {
    const entry = this.#entry;
    const listed = writeOffsets(entry, offsets, count);
    if (this.#length + varintBytes(item - this.#last) + listed > ROW_BYTES) {
      this.#close();
      this.#first = item;
      this.#last = item;
    }
    const bytes = this.#bytes;
    if (this.#length === 0) bytes[this.#length++] = EVENT_INDEX_FORM;
    this.#length = writeVarint(bytes, this.#length, item - this.#last);
    // Mostly few bytes: creating a subarray would cost more than everything else here.
    for (let i = 0; i < listed; i++) bytes[this.#length++] = entry[i] ?? 0;
    this.#last = item;
  }

  /**
   * Continues after the last row of a segment, which is rewritten with the added entries. Must be called
   * first.
   *
   * @returns the last item of the row
   * @throws {DecodeError} when it is damaged
   */
  resume(row: SegmentRow): number {
    const cursor = new RowCursor(row);
    while (cursor.next()) continue;
    this.#bytes.set(row.entries);
    this.#length = row.entries.length;
    this.#first = row.item;
    this.#last = cursor.item;
    return cursor.item;
  }

  finish(): readonly SegmentRow[] {
    this.#close();
    return this.#rows;
  }

  #close(): void {
    if (this.#length === 0) return;
    this.#rows.push({ item: this.#first, entries: this.#bytes.slice(0, this.#length) });
    this.#length = 0;
  }
}

/**
 * Iterates over the entries of a row.
 *
 * Methods throw {@link DecodeError} when the row is damaged.
 */
export class RowCursor {
  readonly #bytes: Uint8Array;
  #at = 1;
  #item: number;
  /** Whether the current entry's offsets have not been read. */
  #isUnread = false;

  constructor({ item, entries }: SegmentRow) {
    if (entries[0] !== EVENT_INDEX_FORM) this.#damaged(`form ${EVENT_INDEX_FORM}`);
    this.#bytes = entries;
    this.#item = item;
  }

  /** Item of the current entry; meaningless before the first {@link next}. */
  get item(): number {
    return this.#item;
  }

  /** Moves to the next entry. @returns whether there is one */
  next(): boolean {
    if (this.#isUnread) this.#skip();
    if (this.#at >= this.#bytes.length) return false;
    this.#item += this.#varint();
    this.#isUnread = true;
    return true;
  }

  /** Moves to the first unread entry at or above `item`. @returns whether there is one */
  seek(item: number): boolean {
    while (!this.#isUnread || this.#item < item) if (!this.next()) return false;
    return true;
  }

  /** Calls `visit` with each offset of the current entry, in order. Only once per entry. */
  read(visit: (offset: number) => void): void {
    this.#isUnread = false;
    let value = this.#varint();
    if (value >= BITMAP) {
      this.#readBitmap(this.#endOfBitmap(value), visit);
      return;
    }
    let offset = value >> 1;
    visit(offset);
    while ((value & 1) !== 0) {
      value = this.#varint();
      offset += value >> 1;
      visit(offset);
    }
  }

  #endOfBitmap(value: number): number {
    const end = this.#at + value - BITMAP;
    return end <= this.#bytes.length ? end : this.#damaged("a whole bitmap");
  }

  #readBitmap(end: number, visit: (offset: number) => void): void {
    for (let base = 0; this.#at < end; base += 8) {
      const byte = this.#bytes[this.#at++] ?? 0;
      for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) visit(base + bit);
    }
  }

  #skip(): void {
    this.#isUnread = false;
    let value = this.#varint();
    if (value >= BITMAP) this.#at = this.#endOfBitmap(value);
    else while ((value & 1) !== 0) value = this.#varint();
  }

  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) this.#damaged("more bytes");
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return this.#damaged("a number of at most 5 bytes");
  }

  #damaged(expected: string): never {
    throw new DecodeError("event_segment", expected);
  }
}

/** Writes offsets in the shorter form. @returns the end offset */
function writeOffsets(target: Uint8Array, offsets: Uint16Array, count: number): number {
  let at = 0;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const offset = offsets[i] ?? 0;
    at = writeVarint(target, at, 2 * (offset - before) + (i + 1 < count ? 1 : 0));
    before = offset;
  }
  const bitmapBytes = (before >> 3) + 1;
  if (at <= bitmapBytes + 2) return at;
  const start = writeVarint(target, 0, BITMAP + bitmapBytes);
  target.fill(0, start, start + bitmapBytes);
  for (let i = 0; i < count; i++) {
    const offset = offsets[i] ?? 0;
    const index = start + (offset >> 3);
    target[index] = (target[index] ?? 0) | (1 << (offset & 7));
  }
  return start + bitmapBytes;
}

function varintBytes(value: number): number {
  let count = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) count++;
  return count;
}

function writeVarint(target: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest >= 0x80) {
    target[at++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  target[at++] = rest;
  return at;
}
