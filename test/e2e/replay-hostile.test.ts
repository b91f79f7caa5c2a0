import { beforeAll, describe, expect, test } from "bun:test";
import { runReplay } from "#test/helpers/replay-run.ts";
import { NO_ESTIMATE, transferCall } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const chain = useChain();

beforeAll(async () => {
  const { transaction_hash } = await chain.account(0).execute(transferCall("0x5", 1n), NO_ESTIMATE);
  await chain.provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
  await chain.provider.getBlockNumber();
}, 60_000);

/** Starts a node that proxies the chain but answers one method itself. */
function hostileNode(method: string, answer: (body: string) => Response | Promise<Response>) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text();
      const call = JSON.parse(body) as { readonly method: string };
      if (call.method === `starknet_${method}`) return answer(body);
      const headers = { "content-type": "application/json" };
      return new Response(await (await fetch(chain.url, { method: "POST", headers, body })).text());
    },
  });
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Endless response body, one chunk per pause. */
function endless(chunk: string, pauseMs: number): Response {
  let isFirst = true;
  const text = new TextEncoder().encode(chunk);
  return new Response(
    new ReadableStream({
      async pull(controller) {
        await Bun.sleep(pauseMs);
        controller.enqueue(isFirst ? new TextEncoder().encode('{"result":"') : text);
        isFirst = false;
      },
    }),
  );
}

const result = (json: string): Response =>
  new Response(`{"jsonrpc":"2.0","id":1,"result":${json}}`);

/** The chain's proof with a million additional nodes. */
async function longProof(body: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const honest = await (await fetch(chain.url, { method: "POST", headers, body })).text();
  const node = '{"node_hash":"0x1","node":{"left":"0x2","right":"0x3"}},';
  return new Response(honest.replace('"nodes":[', `"nodes":[${node.repeat(1_000_000)}`));
}

describe("a replay of a hostile node fails in time with a reason, for", () => {
  const cases: readonly (readonly [string, string, Parameters<typeof hostileNode>[1], RegExp])[] = [
    [
      "an endless response",
      "chainId",
      () => endless("a".repeat(1 << 20), 0),
      /is longer than \d+ bytes/,
    ],
    [
      "a slow, endless response",
      "getBlockWithReceipts",
      () => endless("a", 50),
      /did not answer .* in 1000 ms/,
    ],
    ["a redirect", "getStateUpdate", () => Response.redirect(chain.url, 308), /redirects/],
    [
      "a number for a block",
      "getBlockWithReceipts",
      () => result("5"),
      /does not match the specification/,
    ],
    [
      "a list for a trace",
      "traceBlockTransactions",
      () => result("[[]]"),
      /does not match the specification/,
    ],
    [
      "deep JSON",
      "getStateUpdate",
      () => result("[".repeat(1_000_000)),
      /over a limit: .*1024 levels/,
    ],
    [
      "JSON of very many values",
      "getStateUpdate",
      () => result(`[${"0,".repeat(20_000_000)}0]`),
      /over a limit/,
    ],
    [
      "a proof of a million nodes",
      "getStorageProof",
      longProof,
      /nodes of contracts_proof|over a limit/,
    ],
  ];
  for (const [name, method, answer, reason] of cases) {
    test(
      name,
      async () => {
        await using node = hostileNode(method, answer);
        const bounds = ["--timeout", "1s", "--retries", "0"];
        const slow = name === "a slow, endless response" ? bounds : ["--retries", "0"];
        const { code, lines, err } = await runReplay(node.url, "--block", "1", ...slow);
        expect([code, lines.join("\n") + err]).toEqual([1, expect.stringMatching(reason)]);
        expect((lines.join("\n") + err).length).toBeLessThan(2_000);
      },
      60_000,
    );
  }
});
