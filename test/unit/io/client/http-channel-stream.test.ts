import { afterAll, describe, expect, test } from "bun:test";
import { integer, json, streamObject, streamScalar, streamWhole } from "#base/codec/index.ts";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import {
  createHttpChannel,
  type HttpChannelOptions,
  RpcRefusal,
  STREAM_LIMITS,
} from "#io/client/index.ts";

const requests: string[] = [];
let answer: () => Response | Promise<Response> = () => new Response("{}");

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    requests.push(await request.text());
    return answer();
  },
});
afterAll(() => server.stop(true));

/** Timer of {@link channel}: retry delays elapse immediately, timeouts take their real time. */
const TIMEOUT_MS = 10_000;

function patientTimer(waits: number[]): Timer {
  return {
    ...SYSTEM_TIMER,
    after(delayMs, callback) {
      if (delayMs >= TIMEOUT_MS - 1) return SYSTEM_TIMER.after(delayMs, callback);
      waits.push(delayMs);
      return SYSTEM_TIMER.after(0, callback);
    },
  };
}

function channel(special: Partial<HttpChannelOptions> = {}, waits: number[] = []) {
  requests.length = 0;
  return createHttpChannel({
    url: server.url.href,
    timeoutMs: TIMEOUT_MS,
    retries: 2,
    maxAnswerBytes: 10,
    signal: new AbortController().signal,
    timer: patientTimer(waits),
    ...special,
  });
}

const text = (body: string) => () => new Response(body);
const any = () => streamWhole(json);
const streamed = (special: Partial<HttpChannelOptions> = {}) =>
  channel(special).stream("m", {}, any);

describe("HttpChannel.stream", () => {
  test("returns results of any length without losing digits", async () => {
    const long = "x".repeat(100_000);
    answer = text(`{"jsonrpc":"2.0","id":1,"result":{"a":18446744073709551615,"b":"${long}"}}`);
    const result = await channel().stream("m", { x: 18446744073709551615n }, any);
    expect(result).toEqual({ a: 18446744073709551615n, b: long });
    expect(requests).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":18446744073709551615}}',
    ]);
  });

  test("reads response members in any order", async () => {
    for (const body of [
      '{"result":[1],"id":1,"jsonrpc":"2.0"}',
      '{"error":null,"id":{"a":[]},"result":[1]}',
    ]) {
      answer = text(body);
      expect(await streamed()).toEqual([1]);
    }
  });

  test("reports the error code wherever the error is, without a retry", async () => {
    const error = '"error":{"code":42,"message":"no","data":"why"}';
    for (const body of [`{${error}}`, `{"result":null,${error}}`, `{${error},"result":5}`]) {
      answer = text(body);
      const refused = streamed();
      expect(refused).rejects.toThrow(RpcRefusal);
      expect(refused).rejects.toMatchObject({ rpcCode: 42 });
      expect(refused).rejects.toThrow('m was answered with error 42: no ("why")');
      expect(requests).toHaveLength(1);
    }
  });

  test("masks API keys of the URL that the node repeats", async () => {
    answer = text('{"error":{"code":1,"message":"bad key s3cretkey123"}}');
    const url = `${server.url.href}rpc/s3cretkey123`;
    expect(channel({ url }).stream("m", {}, any)).rejects.toThrow("error 1: bad key ***");
  });

  test("retries a busy node or a broken connection with growing delays", async () => {
    const waits: number[] = [];
    const answers = [
      "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n",
      'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"result":',
      'HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{"result":7}',
    ];
    using sockets = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end(answers.shift() ?? "") },
    });
    const decoders: unknown[] = [];
    const url = `http://127.0.0.1:${sockets.port}`;
    const asked = channel({ url }, waits).stream("m", {}, () => {
      const decoder = streamScalar(integer());
      decoders.push(decoder);
      return decoder;
    });
    expect(await asked).toBe(7);
    expect([answers, waits, new Set(decoders).size]).toEqual([[], [250, 500], 3]);
    answer = () => new Response("", { status: 429 });
    expect(streamed()).rejects.toThrow(/answered m with status 429/);
    expect(requests).toHaveLength(3);
  });

  test("reports a timeout after its retries", async () => {
    answer = () => new Promise(() => undefined);
    const asked = streamed({ timeoutMs: 20, retries: 1, timer: SYSTEM_TIMER });
    expect(asked).rejects.toThrow(/did not answer m in 20 ms/);
    expect(requests).toHaveLength(2);
  });

  test("reports a redirect without following it", async () => {
    answer = () => Response.redirect("http://127.0.0.1:1/", 307);
    expect(streamed()).rejects.toThrow("redirects (status 307)");
    expect(requests).toHaveLength(1);
  });

  test("reports an unreachable node", async () => {
    const asked = streamed({ url: "http://127.0.0.1:1", retries: 0 });
    expect(asked).rejects.toThrow(/cannot reach http:\/\/127\.0\.0\.1:1/);
  });

  test("rejects when its signal is aborted", async () => {
    const stop = new AbortController();
    const pull = (controller: ReadableStreamDefaultController): Promise<void> => {
      controller.enqueue(new TextEncoder().encode('{"result":['));
      stop.abort();
      return new Promise(() => undefined);
    };
    answer = () => new Response(new ReadableStream({ pull }));
    expect(streamed({ signal: stop.signal })).rejects.toMatchObject({ code: "NODE_STOPPED" });
  });

  test("bounds the response length", async () => {
    answer = text(`{"result":[${"1,".repeat(1_000)}1]}`);
    const asked = streamed({ streamLimits: { ...STREAM_LIMITS, maxAnswerBytes: 1_000 } });
    expect(asked).rejects.toThrow(/the answer of .* to m is longer than 1000 bytes/);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ["<html>", /127\.0\.0\.1:\d+ did not answer m with JSON-RPC$/],
    ["", /the answer of .* to m ends too early: expected more JSON than the 0 bytes that arrived$/],
    ["[]", /did not answer m with JSON-RPC$/],
    ['{"jsonrpc":"2.0"}', /did not answer m with JSON-RPC$/],
    ['{"result":null}', /did not answer m with JSON-RPC$/],
    ['{"error":"no"}', /did not answer m with JSON-RPC$/],
    ['{"result":[1,}', /did not answer m with JSON: \[1\]: expected a value at byte 13$/],
    [
      '{"result":1}{}',
      /did not answer m with JSON: expected nothing after the JSON value at byte 12$/,
    ],
    ['{"result":1,"result":1}', /the specification: expected this member once, not twice$/],
    ['{"result":[{"a":1', /ends too early: \[0\]\.a: expected more JSON than the 17 bytes/],
  ])("reports an invalid response %s without a retry", async (body, said) => {
    answer = text(body);
    expect(streamed()).rejects.toThrow(said);
    expect(streamed()).rejects.toMatchObject({ code: "NODE_BAD_ANSWER" });
    expect(requests).toHaveLength(1);
  });

  test("names the path of a member of another type", async () => {
    answer = text('{"result":{"a":{"b":"x"}}}');
    const inner = streamObject({ b: streamScalar(integer()) }, {});
    const asked = channel().stream("m", {}, () => streamObject({ a: inner }, {}));
    expect(asked).rejects.toThrow(
      /the answer of http:.* to m does not match the specification: a\.b: expected integer >= 0$/,
    );
  });
});
