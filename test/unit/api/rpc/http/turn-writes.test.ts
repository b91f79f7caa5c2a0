import { describe, expect, test } from "bun:test";
import { type HttpReply, type HttpRequest, textReply } from "#api/rpc/http/message.ts";
import { TurnWrites } from "#api/rpc/http/turn-writes.ts";
import { httpConnection, httpService, statuses } from "#test/helpers/http-connection.ts";

/** Turn that the test ends, with a test-controlled clock. */
function turn() {
  const clock = { nowMs: 0 };
  const ends: (() => void)[] = [];
  const writes = new TurnWrites(
    (flush) => ends.push(flush),
    () => clock.nowMs,
  );
  return { clock, ends, writes, end: () => ends.splice(0).forEach((flush) => flush()) };
}

describe("TurnWrites", () => {
  /** Records the names of outputs when they are released. */
  function named() {
    const released: string[] = [];
    return { released, output: (name: string) => ({ release: () => void released.push(name) }) };
  }

  test("releases outputs in order at the end of the turn", () => {
    const { writes, ends, end } = turn();
    const { released, output } = named();
    for (const name of ["a", "b", "c"]) writes.add(output(name));
    expect([released, ends.length]).toEqual([[], 1]);
    end();
    expect(released).toEqual(["a", "b", "c"]);
    writes.add(output("d"));
    expect(ends).toHaveLength(1);
    end();
    expect(released).toEqual(["a", "b", "c", "d"]);
  });

  test("stops holding outputs back while responses are slow to produce", () => {
    const { clock, writes, end } = turn();
    const { released, output } = named();
    /** Produces twenty responses in a turn. @returns the number sent before its end */
    const turnOf = (pauseMs: number): number => {
      for (let i = 0; i < 20; i++) {
        writes.add(output("a"));
        clock.nowMs += pauseMs;
      }
      const early = released.length;
      end();
      released.length = 0;
      return early;
    };
    turnOf(1);
    expect(turnOf(1)).toBe(20);
    for (let i = 0; i < 10; i++) turnOf(0.001);
    expect(turnOf(0.001)).toBe(0);
  });

  test("releases all outputs once the first one has waited long enough", () => {
    const { clock, writes, end } = turn();
    const { released, output } = named();
    writes.add(output("a"));
    clock.nowMs = 0.2;
    writes.add(output("b"));
    expect(released).toEqual([]);
    clock.nowMs = 0.3;
    writes.add(output("c"));
    expect(released).toEqual(["a", "b", "c"]);
    // The wait of later outputs starts again.
    writes.add(output("d"));
    expect(released).toHaveLength(3);
    end();
    expect(released).toEqual(["a", "b", "c", "d"]);
  });
});

describe("connection whose responses are held back", () => {
  const GET = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
  const LONG = "x".repeat(70_000);

  function setUp(takes = Infinity) {
    const { clock, writes, end } = turn();
    const handler = ({ url }: HttpRequest): HttpReply =>
      textReply(url === "/long" ? LONG : url.slice(1), 200);
    const service = httpService(handler, { writes });
    return { ...httpConnection(handler, { takes, service }), clock, end };
  }
  const bodies = (text: string): string[] =>
    text
      .split("HTTP/1.1 200 OK")
      .slice(1)
      .map((answer) => answer.split("\r\n\r\n")[1] ?? "");

  test("writes nothing before the turn ends, and then everything in order", () => {
    const { socket, send, end } = setUp();
    send(GET("/one") + GET("/two"));
    send(GET("/three"));
    expect(socket.text).toBe("");
    end();
    expect(bodies(socket.text)).toEqual(["one", "two", "three"]);
  });

  test("flushes pending responses when producing further ones takes long", () => {
    const { socket, clock, send } = setUp();
    send(GET("/one"));
    clock.nowMs = 1;
    send(GET("/two"));
    expect(bodies(socket.text)).toEqual(["one", "two"]);
  });

  test("writes a long response immediately, after those before it", () => {
    const { socket, send, end } = setUp();
    send(GET("/one") + GET("/long") + GET("/two"));
    expect(bodies(socket.text)).toEqual(["one", LONG]);
    end();
    expect(bodies(socket.text)).toEqual(["one", LONG, "two"]);
  });

  test("writes the last response immediately, and closes after it", () => {
    const { socket, send } = setUp();
    send(`${GET("/one")}GET /two HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    expect(bodies(socket.text)).toEqual(["one", "two"]);
    expect(socket.calls).toEqual(["shutdown"]);
  });

  test.each([
    ["is displaced", (it: ReturnType<typeof setUp>) => it.connection.yieldSlot()],
    ["is ended as idle", (it: ReturnType<typeof setUp>) => it.connection.endIfIdle()],
    ["times out as idle", (it: ReturnType<typeof setUp>) => it.later(20_000)],
  ])("flushes its output when it %s", (_, ends) => {
    const it = setUp();
    it.send(GET("/one"));
    ends(it);
    expect(bodies(it.socket.text)).toEqual(["one"]);
    expect(it.socket.calls).toEqual(["end"]);
  });

  test("counts what the socket does not accept as unsent, and sends it when there is room", () => {
    const { socket, service, connection, send, end } = setUp(30);
    send(GET("/one") + GET("/two"));
    expect(service.unsent.bytes).toBe(0);
    end();
    expect(socket.bytes.byteLength).toBe(30);
    expect(service.unsent.bytes).toBeGreaterThan(0);
    socket.takes = Infinity;
    connection.drained();
    expect(bodies(socket.text)).toEqual(["one", "two"]);
    expect(service.unsent.bytes).toBe(0);
  });

  test("writes nothing once it is closed", () => {
    const { socket, connection, send, end } = setUp();
    send(GET("/one"));
    connection.closed();
    end();
    expect(statuses(socket.text)).toEqual([]);
  });
});
