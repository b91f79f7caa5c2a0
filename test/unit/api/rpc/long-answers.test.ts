import { describe, expect, test } from "bun:test";
import { createMethodTables, type QueryPool } from "#api/rpc/index.ts";
import { byteLength, type ResponseBody } from "#api/rpc/batch.ts";
import { createGatewayHandler } from "#api/gateway/app.ts";
import type { HttpReply } from "#api/rpc/http/message.ts";
import { requestText } from "#test/helpers/dispatch.ts";
import { feederOf, handlerDeps } from "#test/helpers/feeder.ts";
import { bodyText } from "#test/helpers/held-bytes.ts";
import { httpHandler, httpRequest } from "#test/helpers/http-handler.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { type ScriptedStream, scriptedStream } from "#test/helpers/scripted-stream.ts";
import { dispatcherOf, notesOf } from "#test/helpers/serving.ts";

const [newest] = createMethodTables();

const TRACE = { method: "starknet_traceTransaction", params: ["0x100"] };

/** Pool whose responses are `{"result":["a","b"]}`, with everything after the first part streamed. */
function longPool() {
  const runs: { readonly method: string; readonly takesRest: boolean }[] = [];
  const streams: ScriptedStream[] = [];
  const queryPool: QueryPool = {
    run(_version, method, _params, _caller, takeRest) {
      runs.push({ method, takesRest: takeRest !== undefined });
      const stream = scriptedStream();
      stream.give(',"b"');
      stream.give("]");
      stream.give("}");
      stream.end();
      streams.push(stream);
      takeRest?.(stream);
      const whole = '{"result":["whole"]}';
      const text = takeRest === undefined ? whole : '{"result":["a"';
      return Promise.resolve(new TextEncoder().encode(text));
    },
  };
  return { queryPool, runs, streams };
}

/** Text that an HTTP server sends for a reply. */
async function sentText(reply: HttpReply): Promise<string> {
  if (reply.stream === undefined) return bodyText(reply.body);
  let text = "";
  for (;;) {
    const piece = await reply.stream.next();
    if (piece === undefined) return text;
    text += new TextDecoder().decode(piece);
  }
}

/** Posts a body to a server with a pool of streamed responses. */
async function post(body: string, limits: { readonly maxResponseBytes: number } | null = null) {
  const pool = longPool();
  const dispatcher = dispatcherOf(sampleContext(), {
    queryPool: pool.queryPool,
    ...(limits && { limits }),
  });
  const handler = httpHandler({ dispatcher });
  const request = () =>
    httpRequest(
      "POST",
      "/rpc/v0_10",
      { host: "localhost", "content-type": "application/json" },
      body,
    );
  return { ...pool, reply: await handler(request()), again: () => handler(request()) };
}

describe("long response over HTTP", () => {
  test("is a stream with the request's id", async () => {
    const { reply } = await post(requestText({ ...TRACE, id: 7 }));
    expect([reply.status, reply.body]).toEqual([200, null]);
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(await sentText(reply))).toEqual({
      jsonrpc: "2.0",
      id: 7,
      result: ["a", "b"],
    });
  });

  test("may exceed the limit of buffered responses", async () => {
    const { reply } = await post(requestText(TRACE), { maxResponseBytes: 5 });
    expect(await sentText(reply)).toContain('["a","b"]');
  });

  test("is not cached, although other responses of the method are", async () => {
    const { reply, again, runs } = await post(requestText(TRACE));
    await sentText(reply);
    expect(await sentText(await again())).toContain('["a","b"]');
    expect(runs).toHaveLength(2);
  });

  test("is closed when the request has no id", async () => {
    const { reply, streams } = await post(
      JSON.stringify({ jsonrpc: "2.0", method: TRACE.method, params: TRACE.params }),
    );
    expect(reply.status).toBe(204);
    expect(streams.map(({ closes }) => closes)).toEqual([1]);
  });

  test("is not streamed in a batch", async () => {
    const { reply, runs } = await post(`[${requestText({ ...TRACE, id: 7 })}]`);
    expect(JSON.parse(await sentText(reply))).toEqual([
      { jsonrpc: "2.0", id: 7, result: ["whole"] },
    ]);
    expect(runs).toEqual([{ method: "traceTransaction", takesRest: false }]);
  });
});

test("a transport that cannot stream gets complete responses", async () => {
  const { queryPool, runs } = longPool();
  const dispatcher = dispatcherOf(sampleContext(), { queryPool });
  const answer: ResponseBody = await dispatcher.handle(requestText(TRACE), newest, notesOf());
  expect(byteLength(answer)).toBeGreaterThan(0);
  expect(runs).toEqual([{ method: "traceTransaction", takesRest: false }]);
});

describe("long response of the feeder gateway", () => {
  /** Requests a path of a gateway with a pool of streamed responses. */
  async function get(path: string) {
    const pool = longPool();
    const handler = createGatewayHandler(handlerDeps(feederOf(pool).deps));
    const request = () => httpRequest("GET", `/feeder_gateway/${path}`, { host: "h" }, "");
    return { ...pool, reply: await handler(request()), again: () => handler(request()) };
  }

  test.each([
    "get_block_traces?blockNumber=0",
    "get_transaction_trace?transactionHash=0x100",
    "get_block?blockNumber=0",
  ])("%s is streamed without the JSON-RPC envelope and not cached", async (path) => {
    const { reply, again, runs } = await get(path);
    expect([reply.status, reply.body]).toEqual([200, null]);
    expect(reply.headers["etag"]).toBeString();
    expect(await sentText(reply)).toBe('["a","b"]');
    expect(await sentText(await again())).toBe('["a","b"]');
    expect(runs).toHaveLength(2);
  });
});
