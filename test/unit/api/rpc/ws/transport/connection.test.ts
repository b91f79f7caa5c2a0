import { describe, expect, test } from "bun:test";
import { Gate } from "#api/rpc/ws/transport/gate.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { OPEN_GATE, wsConnection as connect } from "#test/helpers/ws-connection.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

const turn = (): Promise<void> => Bun.sleep(0);
const PING = { opcode: 9 };
const PONG = { opcode: 10 };
const CLOSE = { opcode: 8 };

test("a connection delivers messages and sends responses as text", async () => {
  const { connection, send, heard, frames } = connect();
  send(clientFrame("one"), clientFrame("two"));
  connection.answer("drei");
  connection.notify(OPEN_GATE, Buffer.from("vi"), Buffer.from("er"));
  await turn();
  expect(heard).toEqual(["one", "two"]);
  expect(frames().map(({ opcode, payload }) => [opcode, payload.toString()])).toEqual([
    [1, "drei"],
    [1, "vier"],
  ]);
});

describe("gated notifications", () => {
  const seen = ({ frames }: Pick<ReturnType<typeof connect>, "frames">): string[] =>
    frames().map(({ payload }) => payload.toString());

  test("are written separately, some time after the response", async () => {
    const { connection, ...rest } = connect();
    const gate = new Gate();
    connection.answer("id");
    connection.notify(gate, Buffer.from("first"));
    connection.open(gate, "later");
    await turn();
    expect(seen(rest)).toEqual(["id"]);
    expect(await untilTrue(() => seen(rest).length === 2)).toBe(true);
    connection.notify(gate, Buffer.from("second"));
    await turn();
    expect(seen(rest)).toEqual(["id", "first", "second"]);
  });

  test("wait until a slow client has accepted the response", async () => {
    const { connection, socket, ...rest } = connect({ takes: 1 });
    const gate = new Gate();
    connection.answer("id");
    connection.open(gate, "later");
    connection.notify(gate, Buffer.from("first"));
    await Bun.sleep(20);
    expect([gate.isOpen, rest.total.bytes > 0]).toEqual([false, true]);
    socket.takes = Infinity;
    connection.drained();
    expect([gate.isOpen, seen(rest)]).toEqual([false, ["id"]]);
    expect(await untilTrue(() => seen(rest).length === 2)).toBe(true);
    expect(rest.total.bytes).toBe(0);
  });

  test("let other responses pass, and are sent immediately when the client knows the id", async () => {
    const { connection, ...rest } = connect();
    const gate = new Gate();
    connection.notify(gate, Buffer.from("first"));
    connection.answer("other");
    await turn();
    expect(seen(rest)).toEqual(["other"]);
    connection.open(gate, "now");
    expect(seen(rest)).toEqual(["other", "first"]);
  });

  test("count until the connection closes, and are dropped with it", async () => {
    const { connection, ...rest } = connect();
    const gate = new Gate();
    connection.answer("id");
    connection.notify(gate, Buffer.alloc(1_000));
    connection.open(gate, "later");
    await turn();
    expect(rest.total.bytes).toBeGreaterThan(1_000);
    connection.closed();
    await Bun.sleep(10);
    expect([rest.total.bytes, seen(rest).length]).toEqual([0, 1]);
  });

  test("count as unread and can make a client too slow", async () => {
    const { connection, closes, total } = connect();
    const gate = new Gate();
    for (let i = 0; i < 10; i++) connection.notify(gate, Buffer.alloc(50_000));
    await turn();
    expect(closes()).toEqual([[1008, "too slow: more than 400000 bytes were waiting"]]);
    expect(total.bytes).toBe(0);
  });

  test("make the connection writable again once they are sent", async () => {
    const { connection, heard } = connect();
    const gate = new Gate();
    connection.answer("id");
    connection.notify(gate, Buffer.alloc(300_000));
    connection.open(gate, "later");
    expect(connection.isWritable).toBe(false);
    expect(await untilTrue(() => heard.includes("(writable)"))).toBe(true);
    expect(connection.isWritable).toBe(true);
  });
});

describe("pings", () => {
  test("of a client are answered with their payload", async () => {
    const { send, frames } = connect();
    send(clientFrame("are you there", PING));
    await turn();
    expect(frames().map(({ opcode, payload }) => [opcode, payload.toString()])).toEqual([
      [10, "are you there"],
    ]);
  });

  test("close the connection in a flood", async () => {
    const { send, closes } = connect();
    send(...Array.from({ length: 201 }, () => clientFrame("", PING)));
    await untilTrue(() => closes().length > 0);
    expect(closes()).toEqual([[1008, "too many control frames"]]);
  });

  test("terminate the connection if the flood continues after the close frame", async () => {
    const { send, closes, calls } = connect();
    const flood = Buffer.concat(Array.from({ length: 12_000 }, () => clientFrame("", PING)));
    send(flood);
    await untilTrue(() => closes().length > 0);
    send(flood);
    expect(calls).toContain("terminate");
  });

  test("at a moderate rate do not close the connection", async () => {
    const { send, later, closes } = connect();
    for (let second = 0; second < 10; second++) {
      for (let i = 0; i < 100; i++) send(clientFrame("", PING));
      await turn();
      later(second * 1_000);
    }
    await turn();
    expect(closes()).toEqual([]);
  });

  test("are sent to a silent client, which is terminated without a reply", async () => {
    const { later, frames, calls } = connect();
    later(29_000);
    await turn();
    expect(frames()).toEqual([]);
    later(31_000);
    await turn();
    expect(frames().map(({ opcode }) => opcode)).toEqual([9]);
    later(50_000);
    expect(calls).toEqual([]);
    later(52_000);
    expect(calls).toEqual(["terminate"]);
  });

  test.each([
    ["a pong", PONG],
    ["a message", { opcode: 1 }],
  ])("answered with %s keep the connection open", (_, frame) => {
    const { later, send, calls } = connect();
    for (let ms = 31_000; ms < 400_000; ms += 10_000) {
      later(ms);
      send(clientFrame("x", frame));
    }
    expect(calls).toEqual([]);
  });
});

describe("client that reads too slowly", () => {
  const note = Buffer.alloc(50_000, "n");

  test("gets a close frame in place of the pending notifications, and is terminated", async () => {
    const { connection, socket, later, closes, heard, total, calls, frames } = connect({
      takes: 10,
    });
    for (let i = 0; i < 12; i++) {
      connection.notify(OPEN_GATE, note);
      await turn();
    }
    expect([connection.isOpen, heard]).toEqual([false, ["(ended)"]]);
    expect(total.bytes).toBeLessThan(60_000);
    socket.takes = Infinity;
    connection.drained();
    expect(frames().map(({ opcode }) => opcode)).toEqual([1, 8]);
    expect(closes()).toEqual([[1008, "too slow: more than 400000 bytes were waiting"]]);
    later(4_000);
    expect(calls.includes("terminate")).toBe(false);
    later(6_000);
    expect(calls).toContain("terminate");
  });

  test("is dropped earlier while all clients together have too much unread", async () => {
    const { connection } = connect({ takes: 0, maxAll: 300_000 });
    for (let i = 0; i < 8; i++) connection.notify(OPEN_GATE, note);
    await turn();
    expect(connection.isOpen).toBe(false);
  });

  test("keeps long responses, but is not read until they are sent", async () => {
    const { connection, socket, calls, heard, frames } = connect({ takes: 0 });
    connection.answer("x".repeat(900_000));
    await turn();
    expect([connection.isOpen, connection.isWritable, calls]).toEqual([true, false, ["pause"]]);
    socket.takes = Infinity;
    connection.drained();
    expect([calls, heard]).toEqual([["pause", "resume"], ["(writable)"]]);
    expect(frames()[0]?.payload.length).toBe(900_000);
  });

  test("is terminated if it reads nothing", async () => {
    const { connection, later, calls, socket } = connect({ takes: 1 });
    connection.notify(OPEN_GATE, note);
    await turn();
    later(10_000);
    later(29_000);
    socket.takes = 1;
    connection.drained();
    later(31_000);
    later(50_000);
    expect(calls).toEqual([]);
    later(52_000);
    expect(calls).toEqual(["terminate"]);
  });
});

describe("connection end", () => {
  test("echoes the close code of the client, then shuts down", async () => {
    const { send, closes, calls, heard } = connect();
    send(clientFrame(Uint8Array.of(0x0f, 0xa0), CLOSE), clientFrame("late"));
    await turn();
    expect([closes(), calls, heard]).toEqual([[[4000, ""]], ["shutdown"], ["(ended)"]]);
  });

  test("answers a close frame without a code with 1000", async () => {
    const { send, closes } = connect();
    send(clientFrame("", CLOSE));
    await turn();
    expect(closes()).toEqual([[1000, ""]]);
  });

  test("waits for the client's close frame after a stop", async () => {
    const { connection, send, closes, calls } = connect();
    connection.answer("last");
    connection.stop();
    connection.answer("too late");
    await turn();
    expect([closes(), calls]).toEqual([[[1001, "the node is stopping"]], []]);
    send(clientFrame("not heard"), clientFrame(Uint8Array.of(0x03, 0xe9), CLOSE));
    await turn();
    expect([closes().length, calls]).toEqual([1, ["shutdown"]]);
  });

  test("terminates a client that does not answer a stop in time", () => {
    const { connection, later, calls } = connect();
    connection.stop();
    later(4_000);
    later(6_000);
    expect(calls).toEqual(["terminate"]);
  });

  test("closes with 1002 when a client breaks the protocol", async () => {
    const { send, closes, calls, heard } = connect();
    send(clientFrame("ok"), clientFrame("unmasked", { mask: null }));
    send(clientFrame("late"));
    await turn();
    expect(closes()).toEqual([[1002, "frames of clients are masked"]]);
    expect([heard, calls]).toEqual([["ok", "(ended)"], ["shutdown"]]);
  });

  test("is reported once if the connection is lost", () => {
    const { connection, heard, total } = connect({ takes: 0 });
    connection.answer("x");
    connection.closed();
    connection.closed();
    expect([heard, total.bytes]).toEqual([["(ended)"], 0]);
  });
});

test("data after an overlong message is discarded, and the client can read the close code", async () => {
  const { send, closes, calls } = connect();
  send(clientFrame("x".repeat(999_999), { isFinal: false }));
  send(clientFrame("xx", { opcode: 0 }));
  await untilTrue(() => closes().length > 0);
  for (let i = 0; i < 10; i++) send(clientFrame("x".repeat(100_000)));
  await turn();
  expect(closes().map(([code]) => code)).toEqual([1009]);
  expect(calls).not.toContain("terminate");
});

test("a connection with too many requests in flight pauses, and is not pinged meanwhile", () => {
  const { connection, calls, later } = connect();
  connection.setFull(true);
  for (let ms = 0; ms < 200_000; ms += 10_000) later(ms);
  connection.setFull(false);
  expect(calls).toEqual(["pause", "resume"]);
});
