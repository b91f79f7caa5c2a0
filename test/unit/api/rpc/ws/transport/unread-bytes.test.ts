import { describe, expect, test } from "bun:test";
import { freeBytes, UnreadBytes } from "#api/rpc/ws/transport/unread-bytes.ts";

/** Bytes in a separate buffer. */
const piece = (size: number, fill = 1): Uint8Array => new Uint8Array(size).fill(fill);

describe("UnreadBytes", () => {
  test("returns bytes in order, the rest of a piece first", () => {
    const unread = new UnreadBytes();
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
    const unread = new UnreadBytes();
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
    const unread = new UnreadBytes();
    const whole = piece(10, 7);
    unread.push(whole.subarray(8));
    const part = unread.shift() ?? piece(0);
    expect([...part]).toEqual([7, 7]);
    freeBytes(part);
    expect([part.byteLength, whole.byteLength]).toEqual([0, 10]);
  });

  test("frees its bytes at the end and drops later ones", () => {
    const unread = new UnreadBytes();
    const [before, after] = [piece(5), piece(100_000)];
    unread.push(before);
    unread.end();
    expect([before.byteLength, unread.isEmpty, unread.isMuch]).toEqual([0, true, false]);
    unread.push(after);
    expect([after.byteLength, unread.isEmpty, unread.isMuch]).toEqual([0, true, true]);
  });
});
