import { afterEach, describe, expect, test } from "bun:test";
import { LiveFeed, type TransactionSubmitter } from "#api/rpc/index.ts";
import { serveRpc } from "#app/node/query/rpc/serve.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { INVOKE } from "#test/helpers/broadcasted.ts";
import { CLIENT } from "#test/helpers/clients.ts";
import { devnetWorld } from "#test/helpers/devnet.ts";
import { DEVNET_OPTIONS, nodeOptions } from "#test/helpers/node-options.ts";
import { rpcBody } from "#test/helpers/raw-http.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { openSampleListener, postTo } from "#test/helpers/sample-server.ts";
import { newCache, SILENT, SILENT_WS } from "#test/helpers/serving.ts";
import type { RpcOptions } from "#app/node/setup/node-options.ts";
import { roomyBytes } from "#test/helpers/held-bytes.ts";

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

/** Serves the sample chain as a node does. */
async function serve({
  rpc = {},
  isDevnet = false,
}: { readonly rpc?: Partial<RpcOptions>; readonly isDevnet?: boolean } = {}) {
  const options = await nodeOptions({});
  const steps: unknown[] = [];
  const submit: TransactionSubmitter = {
    submit: () => Promise.resolve({ kind: "accepted", transactionHash: 5n }),
    declare: () => Promise.reject(new TypeError("nothing is declared here")),
  };
  const live = new LiveFeed();
  live.received = ({ hash }) => void steps.push(["announced", hash]);
  const { context: developed } = devnetWorld();
  const url = serveRpc(await openSampleListener(), {
    options: {
      rpc: { ...options.rpc, ...rpc },
      devnet: isDevnet ? { ...DEVNET_OPTIONS, restrictedMethods: ["devnet_mint"] } : null,
    },
    held: roomyBytes(),
    view: { live, answers: newCache() },
    role: { stop: () => steps.push("role stopped"), following: () => null },
    context: isDevnet ? { ...developed, submit } : sampleContext({ submit }),
    queryPool: {
      run: () => Promise.resolve(new TextEncoder().encode(`{"result":"${"x".repeat(500)}"}`)),
      stop: () => steps.push("queries stopped"),
      cancel: () => undefined,
    },
    devnet: isDevnet
      ? {
          access: developed.devnet,
          watch: (watched) => watched,
          answering: (answered) => ({
            ...answered,
            async submit(transaction) {
              const outcome = await answered.submit(transaction, CLIENT);
              steps.push("answered");
              return outcome;
            },
          }),
        }
      : undefined,
    observer: SILENT,
    webSocketObserver: SILENT_WS,
    log: createLogger({ level: "error", format: "json", write: () => undefined }),
    sideRoutes: [],
    otherServers: [{ stop: () => Promise.resolve(void steps.push("gateway stopped")) }],
    disposables: opened,
  });
  const ask = async (body: string): Promise<unknown> => (await postTo(url, "/", { body })).json();
  return { url, steps, ask };
}

const add = rpcBody(1, "addInvokeTransaction", [INVOKE]);
const number = rpcBody(1, "blockNumber");
const query = rpcBody(1, "getBlockWithTxHashes", ["latest"]);

describe("the configured limits apply", () => {
  test("to the calls of a batch", async () => {
    const { ask } = await serve({ rpc: { maxBatch: 2 } });
    expect(await ask(`[${number},${number}]`)).toHaveLength(2);
    expect(await ask(`[${number},${number},${number}]`)).toMatchObject({ error: { code: -32600 } });
  });

  test("to request and response bytes separately", async () => {
    const { url, ask } = await serve({
      rpc: { maxRequestSizeBytes: 400, maxResponseSizeBytes: 450 },
    });
    const status = async (length: number) =>
      (await postTo(url, "/", { body: number.padEnd(length) })).status;
    expect([await status(400), await status(401)]).toEqual([200, 413]);
    expect(await ask(query)).toMatchObject({ error: { code: -32003 } });
    const { ask: another } = await serve({
      rpc: { maxRequestSizeBytes: 400, maxResponseSizeBytes: 600 },
    });
    expect(await another(query)).toHaveProperty("result");
  });

  test("to the calls of an address", async () => {
    const { url } = await serve({ rpc: { rateLimit: { perSecond: 0.001, burst: 1 } } });
    const status = async () => (await postTo(url, "/", { body: number })).status;
    expect([await status(), await status()]).toEqual([200, 429]);
  });
});

describe("a submission is answered", () => {
  test("after the transaction is announced", async () => {
    const { ask, steps } = await serve();
    expect(await ask(add)).toMatchObject({ result: { transaction_hash: "0x5" } });
    expect(steps).toEqual([["announced", 5n]]);
  });

  test("on a development chain after it has been processed", async () => {
    const { ask, steps } = await serve({ isDevnet: true });
    expect(await ask(add)).toMatchObject({ result: { transaction_hash: "0x5" } });
    expect(steps).toEqual([["announced", 5n], "answered"]);
  });
});

test("serves developer methods on development chains only, except restricted ones", async () => {
  const body = (method: string) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] });
  const [chain, devnet] = [await serve(), await serve({ isDevnet: true })];
  expect(await chain.ask(body("devnet_getConfig"))).toMatchObject({ error: { code: -32601 } });
  expect(await devnet.ask(body("devnet_getConfig"))).toMatchObject({ result: { seed: 7 } });
  expect(await devnet.ask(body("devnet_mint"))).toMatchObject({ error: { code: -32604 } });
  const { result } = (await devnet.ask(body("rpc_methods"))) as {
    readonly result: { readonly methods: readonly string[] };
  };
  expect(result.methods).toContain("devnet_getConfig");
});

test("requests end when the node stops", async () => {
  const { steps, url } = await serve();
  await opened.disposeAsync();
  expect(steps).toEqual(["queries stopped", "role stopped", "gateway stopped"]);
  expect(await postTo(url, "/").catch(() => "refused")).toBe("refused");
});
