import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import {
  createHttpChannel,
  FeltDigest,
  FeltDigester,
  NodeClient,
  type RemoteCall,
} from "#io/client/index.ts";
import { headUntil } from "#test/helpers/hostile-answers.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { callJson, tracesJson } from "#test/helpers/trace-json.ts";

const ANSWER_BYTES = bySize({ quick: 20 << 20, full: 1 << 30 });

/** Far less than the response, and than its felts take as numbers. */
const MAX_GROWTH_BYTES = bySize({ quick: 384 << 20, full: 256 << 20 });

/** Felts of each inner call. */
const FELTS = 200_000;
const texts = Array.from({ length: FELTS }, (_, i) => `"0x${(i * 7).toString(16)}"`);
const MARK = "<calldata>";
const call = JSON.stringify(callJson({ calldata: MARK })).replace(`"${MARK}"`, `[${texts.join()}]`);
const CALLS = Math.ceil(ANSWER_BYTES / call.length);

/** The response has three parts: text before the calls, repeated calls, and the rest. */
const head = `${headUntil("calls")}[`;
const tail = (() => {
  const whole = JSON.stringify(tracesJson([{ execute_invocation: callJson({ calls: [] }) }]));
  const rest = whole.slice(whole.indexOf('"calls":[') + '"calls":['.length);
  return `${rest}}`;
})();

/** The response as a stream that is produced on demand; `zip` encodes each part. */
function answerBody(zip: (text: string) => Uint8Array): ReadableStream<Uint8Array> {
  const [first, more, last] = [zip(`${head}${call}`), zip(`,${call}`), zip(tail)];
  let calls = 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (calls < CALLS) controller.enqueue((calls++ === 0 ? first : more).slice());
        else {
          controller.enqueue(last);
          controller.close();
        }
      },
    },
    { highWaterMark: 0 },
  );
}

describe("a large trace response", () => {
  test.each([
    ["plain", {}, (text: string) => new TextEncoder().encode(text)],
    ["gzip", { "content-encoding": "gzip" }, (text: string) => gzipSync(text)],
  ] as const)(
    "is read in constant memory (%s)",
    async (_, headers, zip) => {
      using server = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        idleTimeout: 0,
        fetch: () => new Response(answerBody(zip), { headers: { ...headers } }),
      });
      const client = new NodeClient(
        createHttpChannel({
          url: server.url.href,
          timeoutMs: 60_000,
          retries: 0,
          maxAnswerBytes: 1,
          signal: new AbortController().signal,
          timer: SYSTEM_TIMER,
        }),
      );
      Bun.gc(true);
      const before = process.memoryUsage.rss();
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
      const { traces } = await client.traces(1);
      clearInterval(watch);
      expect(most - before).toBeLessThan(MAX_GROWTH_BYTES);
      const main = traces[0]?.trace.main;
      const calls: readonly RemoteCall[] = main?.kind === "call" ? main.call.calls : [];
      expect(calls).toHaveLength(CALLS);
      const digester = new FeltDigester();
      for (let i = 0; i < FELTS; i++) digester.add(BigInt(i * 7));
      const expected = digester.digest();
      for (const { calldata } of calls) {
        if (!(calldata instanceof FeltDigest)) throw new TypeError("it was kept");
        expect([calldata.length, calldata.text]).toEqual([FELTS, expected.text]);
      }
    },
    600_000,
  );
});
