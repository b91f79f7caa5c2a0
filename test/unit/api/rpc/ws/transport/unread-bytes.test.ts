import { describe, expect, test } from "bun:test";
import { freeBytes, UnreadBytes } from "#api/rpc/ws/transport/unread-bytes.ts";

/** Bytes in a separate buffer. */
const piece = (size: number, fill = 1): Uint8Array => new Uint8Array(size).fill(fill);

/** Total over all connections, below its limit or at it. */
const total = (isFull = false) => ({
  isFull,
  bytes: 0,
  change(bytes: number) {
    this.bytes += bytes;
  },
});

describe("UnreadBytes", () => {
  test("returns bytes in order, the rest of a piece first", () => {
    const unread = new UnreadBytes(total());
    unread.push(piece(2, 1));
    unread.push(piece(2, 2));
    const first = unread.shift();
    unread.putBack(first?.subarray(1) ?? piece(0));
    expect(unread.bytes).toBe(3);
    expect([...(unread.shift() ?? [])]).toEqual([1]);
    expect([...(unread.shift() ?? [])]).toEqual([2, 2]);
    expect([unread.shift(), unread.isEmpty, unread.bytes]).toEqual([undefined, true, 0]);
  });

  test("is large above 64 KiB, until it is empty", () => {
    const unread = new UnreadBytes(total());
    unread.push(piece(65_536));
    expect(unread.isMuch).toBe(false);
    unread.push(piece(1));
    expect(unread.isMuch).toBe(true);
    unread.shift();
    expect(unread.isMuch).toBe(true);
    unread.shift();
    expect(unread.isMuch).toBe(false);
  });

  test("copies a part of a larger buffer, so that freeing it leaves the buffer alone", () => {
    const unread = new UnreadBytes(total());
    const whole = piece(10, 7);
    unread.push(whole.subarray(8));
    const part = unread.shift() ?? piece(0);
    expect([...part]).toEqual([7, 7]);
    freeBytes(part);
    expect([part.byteLength, whole.byteLength]).toEqual([0, 10]);
  });

  test("frees its bytes at the end and drops later ones", () => {
    const unread = new UnreadBytes(total());
    const [before, after] = [piece(5), piece(100_000)];
    unread.push(before);
    unread.end();
    expect([before.byteLength, unread.isEmpty, unread.isMuch]).toEqual([0, true, false]);
    unread.push(after);
    expect([after.byteLength, unread.isEmpty, unread.isMuch]).toEqual([0, true, true]);
  });

  test("is large above 4 KiB while all connections together have too many bytes", () => {
    const all = total(true);
    const unread = new UnreadBytes(all);
    unread.push(piece(4_096));
    expect(unread.isMuch).toBe(false);
    unread.push(piece(1));
    expect(unread.isMuch).toBe(true);
    all.isFull = false;
    unread.shift();
    expect(unread.isMuch).toBe(true);
    unread.shift();
    expect(unread.isMuch).toBe(false);
  });

  test("counts its bytes among those of all connections until they are read or discarded", () => {
    const all = total();
    const unread = new UnreadBytes(all);
    unread.push(piece(10));
    unread.push(piece(20));
    unread.shift();
    expect(all.bytes).toBe(20);
    unread.end();
    unread.push(piece(5));
    expect(all.bytes).toBe(0);
  });
});
