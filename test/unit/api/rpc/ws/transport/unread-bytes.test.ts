import { describe, expect, test } from "bun:test";
import { freeBytes, UnreadBytes } from "#api/rpc/ws/transport/unread-bytes.ts";

/** Bytes with memory of their own. */
const piece = (size: number, fill = 1): Uint8Array => new Uint8Array(size).fill(fill);

describe("bytes that wait to be read", () => {
  test("come out in their order, the rest of a piece first", () => {
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

  test("are much above 64 KiB, until all of them are read", () => {
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

  test("of a part of a larger piece are copied: freeing them leaves the rest alone", () => {
    const unread = new UnreadBytes();
    const whole = piece(10, 7);
    unread.push(whole.subarray(8));
    const part = unread.shift() ?? piece(0);
    expect([...part]).toEqual([7, 7]);
    freeBytes(part);
    expect([part.byteLength, whole.byteLength]).toEqual([0, 10]);
  });

  test("are freed at the end, and what comes behind it is not kept", () => {
    const unread = new UnreadBytes();
    const [before, after] = [piece(5), piece(100_000)];
    unread.push(before);
    unread.end();
    expect([before.byteLength, unread.isEmpty, unread.isMuch]).toEqual([0, true, false]);
    unread.push(after);
    expect([after.byteLength, unread.isEmpty, unread.isMuch]).toEqual([0, true, true]);
  });
});
