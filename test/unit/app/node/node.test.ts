import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { startNode } from "#app/node/node.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import { DEVNET_OPTIONS, l1Options, nodeOptions } from "#test/helpers/node-options.ts";
import { openFilesIn } from "#test/helpers/open-files.ts";
import { followOptions } from "#test/helpers/options.ts";
import { rpcBody } from "#test/helpers/raw-http.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const running: { readonly end: AbortController; readonly closed: Promise<number> }[] = [];
afterEach(async () => {
  for (const { end, closed } of running.splice(0)) {
    end.abort();
    await closed;
  }
});

const optionsOf = (folder: TemporaryFolder, changed: Partial<NodeOptions> = {}) =>
  nodeOptions({
    basePath: folder.file("data"),
    configOut: folder.file("out.json"),
    // Each thread loads its modules, which takes a tenth of a start.
    queryThreads: 1,
    ...changed,
  });

/** The test process outlives any node failure. */
const PORTS = { exit: () => undefined, threadEnd: "terminate" } as const;

interface ConfigOut {
  readonly rpc_url: string;
  readonly metrics_url: string;
  readonly chain_id: string;
  readonly strk_address: string;
  readonly accounts: readonly { readonly address: string }[];
}

/** A node that runs until the test ends. */
async function runningNode(folder: TemporaryFolder) {
  const node = await startedNode(folder);
  running.push(node);
  return node;
}

async function startedNode(folder: TemporaryFolder, changed: Partial<NodeOptions> = {}) {
  const end = new AbortController();
  const options = await optionsOf(folder, { signal: end.signal, ...changed });
  const { closed } = await startNode(options, PORTS);
  const text = readFileSync(folder.file("out.json"), "utf8");
  const out = JSON.parse(text) as ConfigOut;
  const rpc = async (method: string, params: unknown): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(out.rpc_url, { method: "POST", body, headers });
    const { result, error } = (await answer.json()) as Record<string, unknown>;
    return result ?? error;
  };
  return { end, closed, text, out, rpc, options };
}

/** The system may close a thread's files a moment after its end; leaked files stay open. */
async function untilClosed(folder: TemporaryFolder): Promise<void> {
  for (let i = 0; i < 500 && openFilesIn(folder).length > 0; i++) await Bun.sleep(20);
  expect(openFilesIn(folder)).toEqual([]);
}

/** Message of a promise that rejects. */
const endOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(() => "fulfilled", String);

describe("a node", () => {
  test("serves reads, queries, submissions and metrics, and exits with 0", async () => {
    using folder = temporaryFolder();
    const { end, closed, text, out, rpc, options } = await runningNode(folder);
    // The output is meant for people, too.
    expect(text).toBe(`${JSON.stringify(out, null, 2)}\n`);
    expect(await rpc("chainId", [])).toBe(
      `0x${Buffer.from(options.chain.chainId).toString("hex")}`,
    );
    expect(out.accounts).toHaveLength(2);
    const account = out.accounts[0]?.address;
    // `balance_of`, executed by a query thread.
    const request = {
      contract_address: out.strk_address,
      entry_point_selector: "0x35a73cd311a05d46deda634c5ee045db92f811b4e74bca4437fcb5302b7af33",
      calldata: [account],
    };
    expect(await rpc("call", { request, block_id: "latest" })).toEqual([
      `0x${(10n ** 21n).toString(16)}`,
      "0x0",
    ]);
    const bounds = { max_amount: "0x1", max_price_per_unit: "0x1" };
    const invoke_transaction = {
      type: "INVOKE",
      version: "0x3",
      sender_address: account,
      calldata: [],
      signature: [],
      nonce: "0x0",
      resource_bounds: { l1_gas: bounds, l2_gas: bounds, l1_data_gas: bounds },
      tip: "0x0",
      paymaster_data: [],
      account_deployment_data: [],
      nonce_data_availability_mode: "L1",
      fee_data_availability_mode: "L1",
    };
    // Rejected by admission.
    expect(await rpc("addInvokeTransaction", { invoke_transaction })).toMatchObject({ code: 53 });
    const metrics = await (await fetch(out.metrics_url)).text();
    expect(metrics).toMatch(/^appchain_l2_block_number \d+$/m);
    expect(metrics).toMatch(/^appchain_db_size [1-9]\d+$/m);
    end.abort();
    expect(await closed).toBe(0);
    expect(await endOf(fetch(out.rpc_url))).not.toBe("fulfilled");
    expect(existsSync(`${options.basePath}/chain.db`)).toBe(true);
    await untilClosed(folder);
  }, 60_000);

  test("keeps the new chain and exits with 0 if stopped during its start", async () => {
    using folder = temporaryFolder();
    const options = await optionsOf(folder, { metrics: null, signal: AbortSignal.abort() });
    const { closed } = await startNode(options, PORTS);
    expect(await closed).toBe(0);
    expect(existsSync(`${options.basePath}/chain.db`)).toBe(true);
    // Threads that start slowly are terminated: their files stay open until the process ends.
  }, 60_000);
});

describe("a development node with limits", () => {
  let folder: TemporaryFolder;
  let node: Awaited<ReturnType<typeof startedNode>>;

  beforeAll(async () => {
    folder = temporaryFolder();
    const { rpc: given } = await optionsOf(folder);
    const rpc = { ...given, rateLimit: { perSecond: 0.01, burst: 5 } };
    node = await startedNode(folder, { rpc, devnet: DEVNET_OPTIONS });
  }, 60_000);

  afterAll(async () => {
    node.end.abort();
    await node.closed;
    folder[Symbol.dispose]();
  });

  test("counts the blocks that it accepts", async () => {
    const { out } = node;
    const body = rpcBody(1, "createBlock").replace("starknet_", "devnet_");
    expect((await fetch(out.rpc_url, { method: "POST", body })).status).toBe(200);
    const metrics = await (await fetch(out.metrics_url)).text();
    expect(metrics).toMatch(/^appchain_l2_block_number 1$/m);
  }, 60_000);

  test("applies its configured limits", async () => {
    const { out } = node;
    const client = await WsClient.open(out.rpc_url.replace("http", "ws"));
    expect(await client.ask("starknet_subscribeNewHeads")).toMatchObject({
      error: { data: "a connection has at most 0 subscriptions" },
    });
    client.close();
    const post = async (count: number) => {
      const body = rpcBody(1, "chainId");
      return fetch(out.rpc_url, { method: "POST", body: `[${Array(count).fill(body).join(",")}]` });
    };
    expect(await (await post(3)).json()).toMatchObject({
      error: { data: expect.stringContaining("at most 2") },
    });
    expect((await post(2)).status).toBe(200);
    // One more than the burst, whatever earlier tests have used of it.
    const statuses = [await post(1), await post(1), await post(1)].map(({ status }) => status);
    expect(statuses.at(-1)).toBe(429);
  }, 60_000);
});

describe("a node that cannot start leaves nothing behind", () => {
  test("if its gateway key cannot be read", async () => {
    using folder = temporaryFolder();
    const gatewayKeyFile = folder.file("missing");
    const follow = followOptions({
      gateways: [{ feeder: "http://127.0.0.1:9/feeder_gateway", gateway: "http://127.0.0.1:9" }],
      gatewayKeyFile,
    });
    const options = await optionsOf(folder, { role: "full", follow });
    expect(await endOf(startNode(options, PORTS))).toContain(gatewayKeyFile);
    expect(existsSync(options.basePath)).toBe(false);
  });

  test("if L1 prices for a new chain are unavailable", async () => {
    using folder = temporaryFolder();
    const l1 = l1Options("http://127.0.0.1:9");
    const options = await optionsOf(folder, { l1, signal: new AbortController().signal });
    expect(await endOf(startNode(options, PORTS))).toContain("--l1-gas-price");
    expect(existsSync(options.basePath)).toBe(false);
  });

  test("if the oracle's key cannot be read", async () => {
    using folder = temporaryFolder();
    const oracle = { url: "http://127.0.0.1:9", apiKeyFile: folder.file("missing") };
    const l1 = { ...l1Options("http://127.0.0.1:9"), oracle };
    const options = await optionsOf(folder, { l1 });
    expect(await endOf(startNode(options, PORTS))).toContain(oracle.apiKeyFile);
    expect(existsSync(options.basePath)).toBe(false);
  });
});
