import { describe, expect, test } from "bun:test";
import { MessageBytes } from "#api/rpc/ws/transport/message-bytes.ts";

const append = (message: MessageBytes, ...bytes: number[]): Uint8Array => {
  const space = message.extend(bytes.length);
  space.set(bytes);
  return space;
};

describe("MessageBytes", () => {
  test("joins bytes in order, and starts again for each message", () => {
    const message = new MessageBytes();
    append(message, 1, 2);
    append(message, 3);
    expect([message.size, ...message.bytes()]).toEqual([3, 1, 2, 3]);
    message.frames = 2;
    message.clear();
    expect([message.size, message.frames, message.bytes().byteLength]).toEqual([0, 0, 0]);
    append(message, 4);
    expect([...message.bytes()]).toEqual([4]);
  });

  test("keeps the bytes of a message that outgrows its buffer, and frees that buffer", () => {
    const message = new MessageBytes();
    const first = append(message, 1, 2);
    message.extend(5_000).fill(7);
    expect([first.byteLength, message.size]).toEqual([0, 5_002]);
    expect([...message.bytes().subarray(0, 4)]).toEqual([1, 2, 7, 7]);
  });

  test("frees the buffer of a long message when it ends, and reuses that of a short one", () => {
    const message = new MessageBytes();
    const short = append(message, 1);
    message.clear();
    const next = message.extend(1);
    expect([next.buffer === short.buffer, next.byteLength]).toEqual([true, 1]);
    const long = message.extend(2_000);
    message.clear();
    expect(long.byteLength).toBe(0);
  });
});
