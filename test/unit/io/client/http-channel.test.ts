import { afterAll, describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { createHttpChannel, type HttpChannelOptions, RpcRefusal } from "#io/client/index.ts";

const requests: string[] = [];
let answer: () => Response | Promise<Response> = () => new Response("{}");

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    requests.push(await request.text());
    return answer();
  },
});
afterAll(() => server.stop(true));

/** Timer whose alarms ring immediately; records their delays in `waits`. */
function hastyTimer(waits: number[] = []): Timer {
  return {
    nowMs: () => 0,
    after(delayMs, callback) {
      waits.push(delayMs);
      return SYSTEM_TIMER.after(0, callback);
    },
  };
}

function channel(special: Partial<HttpChannelOptions> = {}) {
  requests.length = 0;
  return createHttpChannel({
    url: server.url.href,
    timeoutMs: 5_000,
    retries: 2,
    maxAnswerBytes: 1_000,
    signal: new AbortController().signal,
    timer: hastyTimer(),
    ...special,
  });
}

const text = (body: string) => () => new Response(body);

describe("HttpChannel.call", () => {
  test("returns results without losing digits", async () => {
    answer = text('{"jsonrpc":"2.0","id":1,"result":{"a":18446744073709551615}}');
    expect(await channel().call("m", { x: 18446744073709551615n })).toEqual({
      a: 18446744073709551615n,
    });
    expect(requests).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":18446744073709551615}}',
    ]);
  });

  test("reports the error code without a retry", async () => {
    answer = text('{"jsonrpc":"2.0","id":1,"error":{"code":42,"message":"no","data":"why"}}');
    const refused = channel().call("m", {});
    expect(refused).rejects.toThrow(RpcRefusal);
    expect(refused).rejects.toMatchObject({ rpcCode: 42 });
    expect(refused).rejects.toThrow('m was answered with error 42: no ("why")');
    expect(requests).toHaveLength(1);
  });

  test("retries a busy node with growing delays", async () => {
    const waits: number[] = [];
    answer = () => new Response("", { status: requests.length < 3 ? 503 : 200 });
    const busy = channel({ timer: hastyTimer(waits) }).call("m", {});
    expect(busy).rejects.toThrow(/did not answer m with JSON$/);
    expect(waits).toEqual([250, 500]);
    answer = () => new Response("", { status: 429 });
    expect(channel().call("m", {})).rejects.toThrow(/answered m with status 429/);
    expect(requests).toHaveLength(3);
  });

  test("stops reading a response that is too long", async () => {
    answer = text(`{"result":"${"a".repeat(2_000)}"}`);
    expect(channel().call("m", {})).rejects.toThrow(/to m is longer than 1000 bytes/);
    expect(requests).toHaveLength(1);
  });

  test("reports a timeout after its retries", async () => {
    answer = () => new Promise(() => undefined);
    const asked = channel({ timeoutMs: 20, retries: 1 }).call("m", {});
    expect(asked).rejects.toThrow(/did not answer m in 20 ms/);
    expect(requests).toHaveLength(2);
  });

  test("truncates a long error message", async () => {
    answer = text(`{"error":{"code":1,"message":"${"x".repeat(5_000)}"}}`);
    const refused = channel({ maxAnswerBytes: 10_000 }).call("m", {});
    const told = await refused.then(
      () => "",
      (error: Error) => error.message,
    );
    expect([told.length > 100, told.length < 700]).toEqual([true, true]);
  });

  test("reports a redirect without following it", async () => {
    const elsewhere = Bun.serve({ port: 0, fetch: () => new Response('{"result":"mine"}') });
    answer = () => Response.redirect(elsewhere.url.href, 307);
    const asked = await channel().call("m", {}).catch(String);
    await elsewhere.stop(true);
    expect(asked).toContain("redirects (status 307)");
    expect(requests).toHaveLength(1);
  });

  test("rejects a response with too many values or too deep nesting", async () => {
    for (const [body, said] of [
      [`{"result":[${"0,".repeat((16 << 20) + 1)}0]}`, /over a limit: .*values|over a limit/],
      [`{"result":${"[".repeat(2_000)}`, /over a limit: .*1024 levels/],
    ] as const) {
      answer = text(body);
      expect(channel({ maxAnswerBytes: 64 << 20 }).call("m", {})).rejects.toThrow(said);
    }
  });

  test("reports an unreachable node", async () => {
    const asked = channel({ url: "http://127.0.0.1:1", retries: 0 }).call("m", {});
    expect(asked).rejects.toThrow(/cannot reach http:\/\/127\.0\.0\.1:1/);
  });

  test("rejects when its signal is aborted", async () => {
    const stop = new AbortController();
    answer = () => new Promise(() => undefined);
    const asked = channel({ signal: stop.signal }).call("m", {});
    stop.abort();
    expect(asked).rejects.toThrow(NodeError);
    expect(asked).rejects.toMatchObject({ code: "NODE_STOPPED" });
  });

  test("reports a response that is not JSON-RPC", async () => {
    for (const [body, said] of [
      ["<html>", /did not answer m with JSON$/],
      ["[]", /did not answer m with JSON-RPC/],
      ['{"jsonrpc":"2.0"}', /did not answer m with JSON-RPC/],
    ] as const) {
      answer = text(body);
      expect(channel().call("m", {})).rejects.toThrow(said);
    }
    answer = text('{"error":{"code":"x"}}');
    expect(channel().call("m", {})).rejects.toMatchObject({ rpcCode: -32603 });
  });
});
