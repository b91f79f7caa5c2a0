import { describe, expect, test } from "bun:test";
import { emptyReply, type HttpHandler, type HttpReply, textReply } from "#api/rpc/http/message.ts";
import { httpConnection, httpService, statuses, TIMEOUTS } from "#test/helpers/http-connection.ts";

const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** Response that the test completes. */
function held() {
  const { promise, resolve } = Promise.withResolvers<HttpReply>();
  return { handler: () => promise, end: () => resolve(textReply("late", 200)) };
}

describe("socket that accepts few bytes at a time", () => {
  test("receives every byte once and in order", () => {
    const bodies: Record<string, string | Uint8Array> = {
      "/": "€x".repeat(5_000),
      "/second": new Uint8Array(70_000).fill(65),
    };
    const urls: string[] = [];
    const handler: HttpHandler = ({ url }) => {
      urls.push(url);
      return { status: 200, headers: {}, body: bodies[url] ?? null };
    };
    const whole = httpConnection(handler);
    const { socket, connection, send } = httpConnection(handler, { takes: 1_000 });
    whole.send(GET + GET.replace("/", "/second"));
    urls.length = 0;
    send(GET + GET.replace("/", "/second"));
    expect(urls).toEqual(["/"]);
    for (let i = 0; i < 200; i++) {
      socket.takes = 777;
      connection.drained();
    }
    const undated = (text: string) => text.replace(/date: [^\r]+/g, "");
    expect(whole.socket.text.length).toBeGreaterThan(80_000);
    expect(undated(socket.text) === undated(whole.socket.text)).toBe(true);
    expect(urls).toEqual(["/", "/second"]);
  });

  test("receives a body after its head even if only the body would fit", () => {
    const body = new Uint8Array(70_000).fill(65);
    const { socket, connection, send } = httpConnection(() => ({ status: 200, headers: {}, body }));
    const { write } = socket;
    socket.write = (data) => {
      socket.takes = 20;
      return write(data);
    };
    send(GET);
    for (let i = 0; i < 4_000; i++) connection.drained();
    const [head = "", ...rest] = socket.text.split("\r\n\r\n");
    expect(head).toContain("content-length: 70000");
    expect(rest).toEqual(["A".repeat(70_000)]);
  });

  test("is terminated when it accepts nothing, but not while it accepts something", () => {
    const { socket, connection, send, later } = httpConnection(
      () => textReply("x".repeat(5_000), 200),
      { takes: 10 },
    );
    send(GET);
    later(9_000);
    expect(socket.calls).toEqual([]);
    socket.takes = 10;
    connection.drained();
    later(9_000);
    expect(socket.calls).toEqual([]);
    later(10_100);
    expect(socket.calls).toEqual(["terminate"]);
  });

  test("is terminated when it is too slow over a long time", async () => {
    const handler: HttpHandler = () => textReply("x".repeat(5_000_000), 200);
    const service = httpService(handler, { timeouts: { ...TIMEOUTS, idleMs: 1_050 } });
    const [slow, fast] = [10, 100_000].map((takes) => ({
      takes,
      ...httpConnection(handler, { takes, service }),
    }));
    for (const peer of [slow, fast]) peer?.send(GET);
    await Bun.sleep(900);
    for (const peer of [slow, fast]) {
      if (peer !== undefined) peer.socket.takes = peer.takes;
      peer?.connection.drained();
    }
    await Bun.sleep(200);
    for (const peer of [slow, fast]) peer?.later(0);
    expect([slow?.socket.calls, fast?.socket.calls]).toEqual([["terminate"], []]);
  });

  test("receives the last response before the connection ends", () => {
    const { socket, connection, send } = httpConnection(() => textReply("x".repeat(50), 200), {
      takes: 20,
    });
    send(GET.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"));
    expect(socket.calls).toEqual([]);
    socket.takes = Infinity;
    connection.drained();
    expect([socket.text.endsWith("x".repeat(50)), socket.calls]).toEqual([true, ["shutdown"]]);
  });
});

describe("pipelined bodies", () => {
  const post = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 40000\r\n\r\n${"b".repeat(40_000)}`;

  test("pause the socket when they are many, and resume it when there is room", async () => {
    const { handler, end } = held();
    const { socket, send } = httpConnection(handler);
    send(GET + post);
    expect(socket.calls).toEqual([]);
    send(post);
    expect(socket.calls).toEqual(["pause"]);
    end();
    await Bun.sleep(0);
    expect([statuses(socket.text), socket.calls]).toEqual([
      ["200", "200", "200"],
      ["pause", "resume"],
    ]);
  });

  test("do not time out while they wait", async () => {
    const { handler, end } = held();
    const { socket, send, later } = httpConnection(async (request) => {
      const reply = await handler();
      await request.readBody(50_000);
      return reply;
    });
    send(GET + post + post + post.slice(0, 100));
    later(5_000);
    await Bun.sleep(50);
    end();
    await Bun.sleep(0);
    later(980);
    send(post.slice(100));
    await Bun.sleep(0);
    expect(statuses(socket.text)).toEqual(["200", "200", "200", "200"]);
  });

  test("are not read once the connection is gone", async () => {
    let handled = 0;
    const { handler, end } = held();
    const { connection, send } = httpConnection((request) => {
      handled++;
      return request.url === "/" ? handler() : emptyReply(204);
    });
    send(GET + GET.replace("/", "/second"));
    connection.closed();
    end();
    await Bun.sleep(0);
    expect(handled).toBe(1);
  });
});

describe("incomplete body", () => {
  for (const [what, status, breakOff] of [
    ["late", "408", ({ later }: ReturnType<typeof httpConnection>) => later(2_000)],
    ["malformed", "400", ({ send }: ReturnType<typeof httpConnection>) => send("no chunk\r\n")],
  ] as const) {
    test(`that is ${what} is discarded, and the request gets ${status}`, async () => {
      const bodies: unknown[] = [];
      const peer = httpConnection(async (request) => {
        const body = await request.readBody(1_000);
        bodies.push(body ?? "none");
        return emptyReply(body === undefined ? 413 : 200);
      });
      peer.send("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n");
      breakOff(peer);
      await Bun.sleep(0);
      expect([bodies, statuses(peer.socket.text), peer.socket.calls]).toEqual([
        ["none"],
        [status],
        ["shutdown"],
      ]);
      peer.later(1_100);
      expect(peer.socket.calls).toEqual(["shutdown", "terminate"]);
    });
  }

  test("that has timed out is not waited for by a later read", async () => {
    const peer = httpConnection(async (request) => {
      await Bun.sleep(5);
      return emptyReply((await request.readBody(1_000)) === undefined ? 413 : 200);
    });
    peer.send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab");
    peer.later(2_000);
    await Bun.sleep(20);
    expect(statuses(peer.socket.text)).toEqual(["408"]);
  });

  test("is discarded with its connection", async () => {
    const bodies: unknown[] = [];
    const { connection, send } = httpConnection(async (request) => {
      bodies.push((await request.readBody(1_000)) ?? "none");
      return emptyReply(200);
    });
    send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab");
    connection.closed();
    await Bun.sleep(0);
    expect(bodies).toEqual(["none"]);
  });

  test("after its response ends the connection without another response", () => {
    const peer = httpConnection(() => emptyReply(404));
    peer.send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab");
    peer.later(2_000);
    expect([statuses(peer.socket.text), peer.socket.calls]).toEqual([["404"], ["shutdown"]]);
  });
});

describe("connection", () => {
  test("with a response in progress is not idle", () => {
    const { socket, send, later } = httpConnection(held().handler);
    send(GET);
    later(50_000);
    expect(socket.calls).toEqual([]);
  });

  test("that sends only line ends is idle", () => {
    const { socket, send, later } = httpConnection(held().handler);
    send("\r\n\r\n");
    later(10_100);
    expect(socket.calls).toEqual(["end"]);
  });

  test("ends immediately on stop, or after its response", async () => {
    const { handler, end } = held();
    const busy = httpConnection(handler);
    busy.send(GET + GET);
    for (const { service, connection } of [busy, httpConnection(handler)]) {
      service.isStopping = true;
      connection.endIfIdle();
      if (connection !== busy.connection) continue;
      expect(busy.socket.calls).toEqual([]);
    }
    end();
    await Bun.sleep(0);
    expect([statuses(busy.socket.text), busy.socket.calls]).toEqual([["200"], ["shutdown"]]);
    expect(busy.socket.text).toContain("connection: close");
  });

  test("ends on stop after its last response is written", () => {
    const { socket, service, connection, send } = httpConnection(() => textReply("late", 200), {
      takes: 10,
    });
    send(GET);
    service.isStopping = true;
    connection.endIfIdle();
    expect(socket.calls).toEqual([]);
    socket.takes = Infinity;
    connection.drained();
    expect([socket.text.endsWith("late"), socket.calls]).toEqual([true, ["end"]]);
  });

  test.each([
    ["two hosts", "GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n", "400"],
    ["another version", "GET / HTTP/2.0\r\nhost: a\r\n\r\n", "505"],
  ])("with %s is rejected", (_what, bytes, status) => {
    const { socket, send } = httpConnection(() => emptyReply(200));
    send(bytes + GET);
    expect([statuses(socket.text), socket.calls]).toEqual([[status], ["shutdown"]]);
  });

  test.each([
    ["", "101"],
    ["GE", "400"],
    ["\x81\x00", "400"],
    [GET, "400"],
  ])("upgrade followed by %j gets %s", (more, status) => {
    const upgraded = {
      receive: () => undefined,
      drained: () => undefined,
      closed: () => undefined,
      stop: () => undefined,
      checkTimes: () => undefined,
    };
    const { socket, send } = httpConnection(() => ({
      ...emptyReply(101),
      upgrade: () => upgraded,
    }));
    send(`${GET.slice(0, -2)}connection: upgrade\r\nupgrade: websocket\r\n\r\n${more}`);
    expect(statuses(socket.text)[0]).toBe(status);
  });

  test("of HTTP/1.0 stays open on request", () => {
    const { socket, send } = httpConnection(() => emptyReply(200));
    const old = "GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n";
    send(old + old);
    expect(statuses(socket.text)).toEqual(["200", "200"]);
    expect(socket.text).toContain("connection: keep-alive\r\n");
    expect(socket.calls).toEqual([]);
  });
});
