import { describe, expect, test } from "bun:test";
import { BodyRoom, SHORT_BODY_BYTES } from "#api/rpc/http/body-room.ts";
import { HttpConnection } from "#api/rpc/http/connection.ts";
import { type HttpRequest, textReply } from "#api/rpc/http/message.ts";

describe("the room for long bodies", () => {
  /** Places that were granted later, by name. */
  function world(maxBytes = 100) {
    const room = new BodyRoom(maxBytes);
    const granted: string[] = [];
    const enter = (name: string, bytes: number) => room.enter(bytes, () => granted.push(name));
    return { room, granted, enter };
  }

  test("is given up to its bytes, then to whoever came first", () => {
    const { room, granted, enter } = world();
    const [first, second] = [enter("first", 60), enter("second", 40)];
    const [third, fourth] = [enter("third", 50), enter("fourth", 10)];
    expect([first, second, third, fourth].map(({ isGranted }) => isGranted)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(room.isWanted).toBe(true);
    second.leave();
    expect(granted).toEqual([]);
    first.leave();
    expect(granted).toEqual(["third", "fourth"]);
    expect([third.isGranted, room.isWanted]).toEqual([true, false]);
  });

  test("is given to a longer body alone", () => {
    const { granted, enter } = world();
    const small = enter("small", 1);
    const large = enter("large", 1_000);
    small.leave();
    expect([large.isGranted, granted]).toEqual([true, ["large"]]);
    expect(enter("next", 1).isGranted).toBe(false);
  });

  test("is left once, also by one that waits", () => {
    const { granted, enter } = world();
    const first = enter("first", 100);
    const gone = enter("gone", 100);
    const last = enter("last", 100);
    gone.leave();
    first.leave();
    first.leave();
    expect([granted, last.isGranted]).toEqual([["last"], true]);
    expect(enter("next", 100).isGranted).toBe(false);
  });
});

const LENGTH = 2 * SHORT_BODY_BYTES;

/** Connections that share a room in which two bodies of {@link LENGTH} have place. */
function connections() {
  const room = new BodyRoom(2 * LENGTH);
  const requests: HttpRequest[] = [];
  const open = () => {
    const calls: string[] = [];
    const written: string[] = [];
    const note = (name: string) => () => void calls.push(name);
    const socket = {
      write: (data: string | Uint8Array) =>
        written.push(Buffer.from(data as string).toString()) && data.length,
      end: note("end"),
      shutdown: note("shutdown"),
      terminate: note("terminate"),
      pause: note("pause"),
      resume: note("resume"),
    };
    const timeouts = { headersMs: 1e6, requestMs: 1e6, idleMs: 1e6 };
    const connection = new HttpConnection(socket, {
      timeouts,
      isStopping: false,
      room,
      async handler(request) {
        requests.push(request);
        await request.readBody(1e9);
        return textReply("read", 200);
      },
    });
    const send = (text: string) => connection.receive(Buffer.from(text));
    const announce = (length = LENGTH) =>
      send(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`);
    return { connection, calls, written, send, announce };
  };
  return { open, requests, room };
}

describe("a connection with a long body", () => {
  test("waits in the client's hands while there is no room, then goes on", async () => {
    const { open } = connections();
    const [first, second, third] = [open(), open(), open()];
    for (const { announce } of [first, second, third]) announce();
    expect([first, second, third].map(({ calls }) => calls)).toEqual([[], [], ["pause"]]);
    first.send("x".repeat(LENGTH));
    await Bun.sleep(0);
    expect(first.written.join("")).toContain("read");
    expect(third.calls).toEqual(["pause", "resume"]);
  });

  test("gives its place back when the text is taken, before the answer", () => {
    const { open, requests } = connections();
    const [first, second, third] = [open(), open(), open()];
    for (const { announce } of [first, second, third]) announce();
    requests[0]?.release?.();
    expect(third.calls).toEqual(["pause", "resume"]);
  });

  test("gives its place back when it is closed, whether it had it or waited", () => {
    const { open, room } = connections();
    const [first, second, third, fourth] = [open(), open(), open(), open()];
    for (const { announce } of [first, second, third, fourth]) announce();
    third.connection.closed();
    first.connection.closed();
    expect(fourth.calls).toEqual(["pause", "resume"]);
    expect(room.isWanted).toBe(false);
  });

  test("needs no place for a short body", () => {
    const { open } = connections();
    for (const { announce } of [open(), open()]) announce();
    const short = open();
    short.announce(SHORT_BODY_BYTES);
    expect(short.calls).toEqual([]);
  });

  test("needs a place once it is long, when its length is not announced", () => {
    const { open } = connections();
    open().announce();
    const chunked = open();
    chunked.send("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
    const chunk = `${(40_000).toString(16)}\r\n${"x".repeat(40_000)}\r\n`;
    chunked.send(chunk);
    expect(chunked.calls).toEqual([]);
    chunked.send(chunk);
    expect(chunked.calls).toEqual(["pause"]);
  });

  test("that trickles is 408 while others wait, and goes on while nobody does", async () => {
    const { open } = connections();
    const [first, second] = [open(), open()];
    for (const { announce } of [first, second]) announce();
    first.connection.checkTimes(performance.now() + 60_000);
    expect(first.written).toEqual([]);
    const third = open();
    third.announce();
    first.connection.checkTimes(performance.now() + 1_900);
    expect(first.written).toEqual([]);
    first.connection.checkTimes(performance.now() + 2_100);
    await Bun.sleep(0);
    expect(first.written.join("")).toContain("408");
    expect(third.calls).toEqual(["pause", "resume"]);
  });

  test("that comes fast enough is not cut off", () => {
    const { open } = connections();
    const [first, second, third] = [open(), open(), open()];
    for (const { announce } of [first, second, third]) announce();
    first.send("x".repeat(SHORT_BODY_BYTES));
    first.connection.checkTimes(performance.now() + 2_900);
    expect(first.written).toEqual([]);
  });
});
