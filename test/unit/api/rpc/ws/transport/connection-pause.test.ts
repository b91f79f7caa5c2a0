import { describe, expect, test } from "bun:test";
import { untilTrue } from "#test/helpers/until-true.ts";
import { wsConnection as connect } from "#test/helpers/ws-connection.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

describe("a client that floods while all have too many unread bytes", () => {
  const flood = clientFrame("x".repeat(5_000));

  test("is paused, and continues once there is room", async () => {
    const { connection, ahead, calls, heard } = connect({ maxAhead: 100_000 });
    ahead.change(100_000);
    connection.receive(Buffer.from(flood));
    expect([heard.length, calls]).toEqual([1, ["pause"]]);
    ahead.change(-100_000);
    expect(await untilTrue(() => calls.length === 2)).toBe(true);
    expect(calls).toEqual(["pause", "resume"]);
  });
});

describe("bytes for a paused connection", () => {
  test("are read if they arrive in the turn of the pause", () => {
    const { connection, send, calls, heard } = connect();
    connection.setFull(true);
    send(clientFrame("one"));
    connection.setFull(false);
    expect([heard, calls]).toEqual([["one"], ["pause", "resume"]]);
  });

  test("drop it in a later turn: its client is gone", async () => {
    const { connection, send, calls, heard } = connect();
    connection.setFull(true);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    send(clientFrame("one"));
    expect([heard, calls]).toEqual([[], ["pause", "terminate"]]);
  });
});

test("a client is not read while more than 64 KiB of its responses are unsent", () => {
  const { connection, calls } = connect({ takes: 0 });
  connection.answer("x".repeat(65_000));
  expect([connection.isWritable, calls]).toEqual([true, []]);
  connection.answer("x".repeat(1_000));
  expect([connection.isWritable, calls]).toEqual([false, ["pause"]]);
});
