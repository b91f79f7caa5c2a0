import { afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { ConfigError, NodeError } from "#base/errors/index.ts";
import { type Listener, type ListenOptions, openListener } from "#api/rpc/index.ts";

const listeners: Listener[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const listener of listeners.splice(0)) await listener.stop(0, () => undefined);
});

function open(options: Partial<ListenOptions> = {}): Listener {
  const listener = openListener({
    hostname: "127.0.0.1",
    port: 0,
    service: "tests",
    portOption: "--test-port",
    hostOption: "--test-host",
    ...options,
  });
  listeners.push(listener);
  return listener;
}

const urlOf = ({ port }: Listener) => `http://127.0.0.1:${port}`;

function client(listener: Listener, text: string): Promise<Socket> {
  const socket = connect(listener.port, "127.0.0.1");
  sockets.push(socket.resume());
  socket.on("error", () => undefined);
  return new Promise((resolve) => {
    socket.once("connect", () => socket.write(text, () => resolve(socket)));
  });
}

const closedOf = (socket: Socket) => new Promise((resolve) => socket.once("close", resolve));

const UNFINISHED = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{";

describe("listener address", () => {
  test("is bound immediately and responds that the node is starting", async () => {
    const response = await fetch(urlOf(open()));
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({ error: { data: "the node is starting" } });
  });

  test("uses the handler that it is given, also for errors", async () => {
    const listener = open();
    listener.serve({
      fetch: (request) => {
        if (request.url.endsWith("/bad")) throw new RangeError("bad");
        return new Response("fine");
      },
      error: () => new Response("broken", { status: 500 }),
    });
    expect(await (await fetch(urlOf(listener))).text()).toBe("fine");
    expect((await fetch(`${urlOf(listener)}/bad`)).status).toBe(500);
  });

  test("in use is an error that names the option to change", () => {
    const { port } = open();
    const again = () => open({ port });
    expect(again).toThrow(NodeError);
    expect(again).toThrow(
      `tests: port ${port} on 127.0.0.1 is in use; choose another one with --test-port`,
    );
  });

  test.each(["nonexistent.invalid", "1.2.3.4", "999.1.1.1", "foo bar"])(
    "%s of another machine is a configuration error",
    (hostname) => {
      expect(() => open({ hostname })).toThrow(ConfigError);
      expect(() => open({ hostname })).toThrow("--test-host");
    },
  );
});

describe("listener stop", () => {
  test("lets a request finish within the grace period", async () => {
    const listener = open();
    const received = Promise.withResolvers<void>();
    listener.serve({
      fetch: async () => {
        received.resolve();
        await Bun.sleep(100);
        return new Response("late");
      },
      error: () => new Response(),
    });
    const answer = fetch(urlOf(listener)).then((response) => response.text());
    await received.promise;
    let isOver = false;
    await listener.stop(5_000, () => (isOver = true));
    expect([await answer, isOver]).toEqual(["late", false]);
  });

  test("closes unfinished requests after the grace period, and reports that before", async () => {
    const listener = open();
    listener.serve({
      fetch: async (request) => new Response(await request.text()),
      error: () => new Response(),
    });
    const closed = closedOf(await client(listener, UNFINISHED));
    await Bun.sleep(50);
    const order: string[] = [];
    void closed.then(() => order.push("closed"));
    await listener.stop(50, () => order.push("over"));
    await closed;
    expect(order).toEqual(["over", "closed"]);
  });

  test("closes idle keep-alive connections", async () => {
    const listener = open();
    const socket = await client(listener, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    const closed = closedOf(socket);
    await listener.stop(1_000, () => undefined);
    await closed;
    const refused = await fetch(urlOf(listener)).catch(() => "refused");
    expect(refused).toBe("refused");
  });

  test("may be called twice", async () => {
    const listener = open();
    await Promise.all([listener.stop(10, () => undefined), listener.stop(10, () => undefined)]);
    await listener.stop(0, () => undefined);
  });
});
