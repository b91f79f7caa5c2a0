import { afterAll, describe, expect, test } from "bun:test";
import { type HttpListener, HTTP_TIMEOUTS } from "#api/rpc/index.ts";
import { HeldRequests } from "#api/rpc/http/held-requests.ts";
import { openHttpListener } from "#api/rpc/http/http-listener.ts";
import { type HttpHandler, type HttpReply, textReply } from "#api/rpc/http/message.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { httpConnection, statuses } from "#test/helpers/http-connection.ts";
import { httpRequest } from "#test/helpers/http-handler.ts";
import { roomyBytes } from "#test/helpers/held-bytes.ts";

const LIMITS = { maxRequests: 2, maxMs: 1_000 };
const answered: HttpHandler = ({ url }) => textReply(url, 200);

function world() {
  const timer = new FakeTimer();
  const held = new HeldRequests(LIMITS, timer);
  const ask = async (url: string): Promise<HttpReply> => held.handle(httpRequest("POST", url));
  return { timer, held, ask };
}

const statusOf = async (reply: Promise<HttpReply>): Promise<number> => (await reply).status;

describe("request before the node is ready", () => {
  test("is held, and answered by the handler once it is set", async () => {
    const { timer, held, ask } = world();
    const replies = [ask("/a"), ask("/b")];
    timer.advance(LIMITS.maxMs - 1);
    const order: string[] = [];
    held.release((request) => {
      order.push(request.url);
      return answered(request);
    });
    expect((await Promise.all(replies)).map(({ body }) => body)).toEqual(["/a", "/b"]);
    expect([order, timer.alarms]).toEqual([["/a", "/b"], 0]);
  });

  test.each(["/health", "/ready", "/ready?max_lag=3", "http://localhost/health"])(
    "gets 503 immediately for %s",
    async (url) => {
      const { timer, ask } = world();
      expect(await ask(url)).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
      expect(timer.alarms).toBe(0);
    },
  );

  test("gets 503 immediately above the maximum of held requests", async () => {
    const { held, ask } = world();
    const replies = [ask("/"), ask("/")];
    expect(await statusOf(ask("/"))).toBe(503);
    held.release(answered);
    expect(await Promise.all(replies.map(statusOf))).toEqual([200, 200]);
  });

  test("gets 503 after the maximum wait, and frees its place", async () => {
    const { timer, held, ask } = world();
    const late = [ask("/"), ask("/")];
    timer.advance(LIMITS.maxMs);
    expect(await Promise.all(late.map(statusOf))).toEqual([503, 503]);
    const next = ask("/");
    held.release(answered);
    expect(await statusOf(next)).toBe(200);
  });

  test("is dropped once its client disconnects", async () => {
    const { held, ask } = world();
    const gone = httpConnection(held.handle);
    gone.send("GET /gone HTTP/1.1\r\nhost: a\r\n\r\n".repeat(2));
    gone.connection.closed();
    const urls: string[] = [];
    const replies = ["/a", "/b"].map((url) => ask(url));
    held.release((request) => {
      urls.push(request.url);
      return answered(request);
    });
    expect(await Promise.all(replies.map(statusOf))).toEqual([200, 200]);
    expect(urls).toEqual(["/a", "/b"]);
  });

  test("keeps its body and delays pipelined requests", async () => {
    const { held } = world();
    const { socket, service, send } = httpConnection(held.handle);
    send("POST /a HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\nabc");
    send("POST /b HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n");
    const echo: HttpHandler = async (request) =>
      textReply((await request.readBody(10))?.text() ?? "", 200);
    service.handler = echo;
    held.release(echo);
    await Bun.sleep(0);
    expect(statuses(socket.text)).toEqual(["200", "200"]);
    expect(socket.text).toContain("\r\n\r\nabc");
  });
});

test("a listener that stops before it serves rejects held requests", async () => {
  const { timer, held, ask } = world();
  const reply = ask("/");
  held.stop();
  expect([await statusOf(reply), timer.alarms]).toEqual([503, 0]);
});

describe("listener without a handler", () => {
  let listener: HttpListener | undefined;
  afterAll(() => listener?.stop(0, () => undefined));

  test("answers early requests once it serves", async () => {
    const names = { service: "tests", portOption: "--port", hostOption: "--host" };
    const limits = { max: 10, maxPerAddress: 10 };
    listener = await openHttpListener(
      { hostname: "127.0.0.1", port: 0, ...names },
      HTTP_TIMEOUTS,
      limits,
      roomyBytes(),
    );
    const url = `http://127.0.0.1:${listener.port}`;
    const early = fetch(`${url}/early`, { method: "POST", body: "x" });
    expect((await fetch(`${url}/health`)).status).toBe(503);
    listener.serve(answered);
    expect(await (await early).text()).toBe("/early");
    expect(await (await fetch(`${url}/health`)).text()).toBe("/health");
  });

  test("holds requests again until others serve it, and lets earlier ones finish", async () => {
    const url = `http://127.0.0.1:${listener?.port}`;
    const slow = Promise.withResolvers<void>();
    listener?.serve(async (request) => {
      await slow.promise;
      return textReply(`old ${new URL(request.url, url).pathname}`, 200);
    });
    const earlier = fetch(`${url}/earlier`);
    await Bun.sleep(50);
    listener?.hold();
    const later = fetch(`${url}/later`);
    await Bun.sleep(50);
    listener?.serve(answered);
    expect(await (await later).text()).toBe("/later");
    slow.resolve();
    expect(await (await earlier).text()).toBe("old /earlier");
  });
});
