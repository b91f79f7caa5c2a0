import { describe, expect, test } from "bun:test";
import { BodyRoom } from "#api/rpc/http/body-room.ts";
import { WsConnection } from "#api/rpc/ws/transport/connection.ts";
import { clientFrame, closeOf, serverFrames } from "#test/helpers/ws-frames.ts";

const TIMES = { pingMs: 30_000, pongMs: 20_000, closeMs: 5_000 };

/** A connection over a socket that takes so many bytes, and what was done to it. */
function connect(options: { takes?: number; room?: BodyRoom; maxAll?: number } = {}) {
  const { takes = Infinity, room = new BodyRoom(), maxAll = 1e9 } = options;
  const taken: Uint8Array[] = [];
  const calls: string[] = [];
  const heard: string[] = [];
  const socket = {
    takes,
    write(data: string | Uint8Array) {
      const bytes = Buffer.from(data as string).subarray(0, socket.takes);
      socket.takes -= bytes.length;
      taken.push(Buffer.from(bytes));
      return bytes.length;
    },
    end: () => void calls.push("end"),
    shutdown: () => void calls.push("shutdown"),
    terminate: () => void calls.push("terminate"),
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
  };
  const total = { bytes: 0 };
  const connection = new WsConnection(
    { socket, room, messageMs: 100_000 },
    {
      maxMessageBytes: 1_000_000,
      maxWaitingBytes: 400_000,
      maxAllWaitingBytes: maxAll,
      times: TIMES,
      total,
    },
  );
  connection.listen({
    message: (text) => void heard.push(text),
    roomy: () => void heard.push("(roomy)"),
    ended: () => void heard.push("(ended)"),
  });
  const startMs = performance.now();
  return {
    connection,
    socket,
    calls,
    heard,
    total,
    frames: () => serverFrames(Buffer.concat(taken)).frames,
    closes: () =>
      serverFrames(Buffer.concat(taken))
        .frames.filter(({ opcode }) => opcode === 8)
        .map(closeOf),
    send: (...frames: Uint8Array[]) => connection.receive(Buffer.concat(frames)),
    later: (ms: number) => connection.checkTimes(startMs + ms),
  };
}

const turn = (): Promise<void> => Bun.sleep(0);
const PING = { opcode: 9 };
const PONG = { opcode: 10 };
const CLOSE = { opcode: 8 };

test("messages are heard, and answers are sent as text", async () => {
  const { connection, send, heard, frames } = connect();
  send(clientFrame("one"), clientFrame("two"));
  connection.answer("drei");
  connection.notify(Buffer.from("vi"), Buffer.from("er"));
  await turn();
  expect(heard).toEqual(["one", "two"]);
  expect(frames().map(({ opcode, payload }) => [opcode, payload.toString()])).toEqual([
    [1, "drei"],
    [1, "vier"],
  ]);
});

describe("pings", () => {
  test("of a client are answered with what they hold", async () => {
    const { send, frames } = connect();
    send(clientFrame("are you there", PING));
    await turn();
    expect(frames().map(({ opcode, payload }) => [opcode, payload.toString()])).toEqual([
      [10, "are you there"],
    ]);
  });

  test("in a flood end the connection", async () => {
    const { send, later, closes } = connect();
    for (let i = 0; i < 201; i++) send(clientFrame("", PING));
    later(10);
    await turn();
    expect(closes()).toEqual([[1008, "too many control frames"]]);
  });

  test("at a client's own pace do not", async () => {
    const { send, later, closes } = connect();
    for (let second = 0; second < 10; second++) {
      for (let i = 0; i < 100; i++) send(clientFrame("", PING));
      later(second * 1_000);
    }
    await turn();
    expect(closes()).toEqual([]);
  });

  test("are sent to a silent client, who is dropped when it does not answer", async () => {
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
    ["anything else", { opcode: 1 }],
  ])("that are answered with %s keep it", (_, frame) => {
    const { later, send, calls } = connect();
    for (let ms = 31_000; ms < 400_000; ms += 10_000) {
      later(ms);
      send(clientFrame("x", frame));
    }
    expect(calls).toEqual([]);
  });
});

describe("a client that reads too slowly", () => {
  const note = Buffer.alloc(50_000, "n");

  test("is told a close code in the place of what waits for it, and is cut off", async () => {
    const { connection, socket, later, closes, heard, total, calls, frames } = connect({
      takes: 10,
    });
    for (let i = 0; i < 12; i++) {
      connection.notify(note);
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

  test("is dropped sooner while clients have too much waiting together", async () => {
    const { connection } = connect({ takes: 0, maxAll: 300_000 });
    for (let i = 0; i < 8; i++) connection.notify(note);
    await turn();
    expect(connection.isOpen).toBe(false);
  });

  test("keeps what was answered, however long: no more is taken from it meanwhile", async () => {
    const { connection, socket, calls, heard, frames } = connect({ takes: 0 });
    connection.answer("x".repeat(900_000));
    await turn();
    expect([connection.isOpen, connection.isRoomy, calls]).toEqual([true, false, ["pause"]]);
    socket.takes = Infinity;
    connection.drained();
    expect([calls, heard]).toEqual([["pause", "resume"], ["(roomy)"]]);
    expect(frames()[0]?.payload.length).toBe(900_000);
  });

  test("is cut off when it takes nothing at all", async () => {
    const { connection, later, calls, socket } = connect({ takes: 1 });
    connection.notify(note);
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

describe("the end", () => {
  test("that a client asks for is answered with its code, then the connection ends", async () => {
    const { send, closes, calls, heard } = connect();
    send(clientFrame(Uint8Array.of(0x0f, 0xa0), CLOSE), clientFrame("late"));
    await turn();
    expect([closes(), calls, heard]).toEqual([[[4000, ""]], ["shutdown"], ["(ended)"]]);
  });

  test("without a code is answered as a normal one", async () => {
    const { send, closes } = connect();
    send(clientFrame("", CLOSE));
    await turn();
    expect(closes()).toEqual([[1000, ""]]);
  });

  test("that the node asks for waits for the client's answer", async () => {
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

  test("comes in time when the client does not answer", () => {
    const { connection, later, calls } = connect();
    connection.stop();
    later(4_000);
    later(6_000);
    expect(calls).toEqual(["terminate"]);
  });

  test("of a client that breaks the protocol has the code for that", async () => {
    const { send, closes, calls, heard } = connect();
    send(clientFrame("ok"), clientFrame("unmasked", { mask: null }));
    send(clientFrame("late"));
    await turn();
    expect(closes()).toEqual([[1002, "frames of clients are masked"]]);
    expect([heard, calls]).toEqual([["ok", "(ended)"], ["shutdown"]]);
  });

  test("is told once, when the connection is gone without a word", () => {
    const { connection, heard, total } = connect({ takes: 0 });
    connection.answer("x");
    connection.closed();
    connection.closed();
    expect([heard, total.bytes]).toEqual([["(ended)"], 0]);
  });
});

describe("a long message", () => {
  const long = clientFrame("x".repeat(100_000));

  test("waits in the client's hands while there is no room", () => {
    const room = new BodyRoom(150_000);
    const [first, second] = [connect({ room }), connect({ room })];
    first.send(long.subarray(0, 1_000));
    second.send(long.subarray(0, 1_000));
    expect([first.calls, second.calls]).toEqual([[], ["pause"]]);
    first.send(long.subarray(1_000));
    expect(second.calls).toEqual(["pause", "resume"]);
    second.send(long.subarray(1_000));
    expect([first.heard.length, second.heard.length, room.isWanted]).toEqual([1, 1, false]);
  });

  test("gives its room back when its connection is gone", () => {
    const room = new BodyRoom(150_000);
    const [first, second] = [connect({ room }), connect({ room })];
    first.send(long.subarray(0, 1_000));
    second.send(long.subarray(0, 1_000));
    first.connection.closed();
    expect(second.calls).toEqual(["pause", "resume"]);
  });

  test("that trickles is cut off while others wait, and goes on while nobody does", async () => {
    const room = new BodyRoom(150_000);
    const first = connect({ room });
    first.send(long.subarray(0, 1_000));
    first.later(25_000);
    expect(first.connection.isOpen).toBe(true);
    connect({ room }).send(long.subarray(0, 1_000));
    first.later(25_001);
    await turn();
    expect(first.closes()).toEqual([[1008, "the message takes too long"]]);
    expect(room.isWanted).toBe(false);
  });

  test("that takes longer than a request may is cut off", async () => {
    const { send, later, closes } = connect();
    send(clientFrame("begin", { isFinal: false }));
    later(101_000);
    await turn();
    expect(closes()).toEqual([[1008, "the message takes too long"]]);
  });
});

test("a client whose requests have to end first is not read, and is not missed", () => {
  const { connection, calls, later } = connect();
  connection.setFull(true);
  for (let ms = 0; ms < 200_000; ms += 10_000) later(ms);
  connection.setFull(false);
  expect(calls).toEqual(["pause", "resume"]);
});
