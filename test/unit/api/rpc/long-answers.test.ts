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

/** A pool whose every answer is `{"result":["a","b"]}`, of which all but the beginning follows. */
function longPool() {
  const asked: { readonly method: string; readonly takesRest: boolean }[] = [];
  const streams: ScriptedStream[] = [];
  const queryPool: QueryPool = {
    run(_version, method, _params, _caller, takeRest) {
      asked.push({ method, takesRest: takeRest !== undefined });
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
  return { queryPool, asked, streams };
}

/** What an HTTP server sends of a reply. */
async function sent(reply: HttpReply): Promise<string> {
  if (reply.stream === undefined) return bodyText(reply.body);
  let text = "";
  for (;;) {
    const piece = await reply.stream.next();
    if (piece === undefined) return text;
    text += new TextDecoder().decode(piece);
  }
}

/** Posts a body to a server with such a pool. */
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

describe("a long answer over HTTP", () => {
  test("is a stream that begins with the request's id", async () => {
    const { reply } = await post(requestText({ ...TRACE, id: 7 }));
    expect([reply.status, reply.body]).toEqual([200, null]);
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(await sent(reply))).toEqual({ jsonrpc: "2.0", id: 7, result: ["a", "b"] });
  });

  test("may be longer than an answer that is held", async () => {
    const { reply } = await post(requestText(TRACE), { maxResponseBytes: 5 });
    expect(await sent(reply)).toContain('["a","b"]');
  });

  test("is made anew each time, though others of the method are kept", async () => {
    const { reply, again, asked } = await post(requestText(TRACE));
    await sent(reply);
    expect(await sent(await again())).toContain('["a","b"]');
    expect(asked).toHaveLength(2);
  });

  test("is closed where the request has no id", async () => {
    const { reply, streams } = await post(
      JSON.stringify({ jsonrpc: "2.0", method: TRACE.method, params: TRACE.params }),
    );
    expect(reply.status).toBe(204);
    expect(streams.map(({ closes }) => closes)).toEqual([1]);
  });

  test("is not asked for in a batch", async () => {
    const { reply, asked } = await post(`[${requestText({ ...TRACE, id: 7 })}]`);
    expect(JSON.parse(await sent(reply))).toEqual([{ jsonrpc: "2.0", id: 7, result: ["whole"] }]);
    expect(asked).toEqual([{ method: "traceTransaction", takesRest: false }]);
  });
});

test("a transport that cannot stream gets whole answers", async () => {
  const { queryPool, asked } = longPool();
  const dispatcher = dispatcherOf(sampleContext(), { queryPool });
  const answer: ResponseBody = await dispatcher.handle(requestText(TRACE), newest, notesOf());
  expect(byteLength(answer)).toBeGreaterThan(0);
  expect(asked).toEqual([{ method: "traceTransaction", takesRest: false }]);
});

describe("a long answer of the feeder gateway", () => {
  /** Asks a gateway with such a pool. */
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
  ])("%s is a stream of the answer alone, made anew each time", async (path) => {
    const { reply, again, asked } = await get(path);
    expect([reply.status, reply.body]).toEqual([200, null]);
    expect(reply.headers["etag"]).toBeString();
    expect(await sent(reply)).toBe('["a","b"]');
    expect(await sent(await again())).toBe('["a","b"]');
    expect(asked).toHaveLength(2);
  });
});
