import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { hexFromFelt, shortStringFromFelt } from "#base/primitives/index.ts";
import { freePort, rawCall, type RunningChain, type StartOptions } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { STRK, transferCall } from "#test/helpers/tokens.ts";
import { useChain, type ChainOptions, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

/** Funds accounts in genesis. */
const CONFIGURATION = resolve(import.meta.dir, "../../presets/devnet.yaml");

const TOKEN = "e2e-admin-token-0123456789";

interface Answer {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data?: unknown };
}

/** Options that define a chain and its arguments. */
type Kind = Pick<StartOptions, "preset" | "chainConfig" | "args">;

/** Returns start options for a chain with admin methods, and functions that call those. */
function administered({ args = [], ...kind }: Kind) {
  let port = 0;
  const options = async (folder: TemporaryFolder): Promise<ChainOptions> => {
    port = await freePort();
    const tokenFile = folder.file("admin.token");
    writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
    const own = ["--rpc-admin-port", String(port), "--rpc-admin-token-file", tokenFile];
    return { ...kind, args: [...own, ...args] };
  };
  const send = async (path: string, authorization: string | null, body: string) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: authorization === null ? headers : { ...headers, authorization },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
  const admin = async (method: string, params: unknown = []): Promise<Answer> => {
    const request = { jsonrpc: "2.0", id: 1, method: `appchain_${method}`, params };
    const { status, text } = await send("/", `Bearer ${TOKEN}`, JSON.stringify(request));
    return { status, ...(JSON.parse(text) as object) };
  };
  return { options, admin, send };
}

const resultOf = async (chain: RunningChain, method: string, params: unknown = []) =>
  (await rawCall(chain.url, `starknet_${method}`, params)).result;

interface Block {
  readonly block_hash: string;
  readonly block_number: number;
}

const METHODS = [
  "ping",
  "status",
  "getMempool",
  "dropTransaction",
  "flushMempool",
  "closeBlock",
  "addL1HandlerMessage",
  "getBlockBouncerWeights",
  "revertTo",
  "setLogLevel",
  "shutdown",
];

describe.each([
  // Blocks close by time only once an hour, so that the method closes those of the tests.
  [
    "from a configuration file, without developer methods",
    { chainConfig: CONFIGURATION, args: ["--dev-accounts", "3", "--block-time", "1h"] },
  ],
  ["with preset devnet", { preset: "devnet", args: ["--block-time", "1h"] }],
] satisfies [string, Kind][])("admin methods of a chain %s", (_, kind) => {
  const { options, admin, send } = administered(kind);
  const chain = useChain(options);
  let chainId: string;

  beforeAll(async () => {
    chainId = shortStringFromFelt(BigInt((await resultOf(chain, "chainId")) as string));
  }, 60_000);

  async function transfer(index: number, nonce: number): Promise<string> {
    const signer = chain.signer(index);
    const { body } = signedTransfer(chainId, signer, BigInt(nonce), 0xabcn);
    const response = await fetch(chain.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { result } = (await response.json()) as { result?: { transaction_hash: string } };
    expect(result).toBeDefined();
    return result?.transaction_hash ?? "";
  }

  test("are not served on the public port", async () => {
    for (const method of METHODS) {
      const { error } = await rawCall(chain.url, `appchain_${method}`, []);
      expect({ method, code: error?.code }).toEqual({ method, code: -32601 });
    }
    const prefixed = await rawCall(chain.url, "starknet_appchain_shutdown", []);
    expect(prefixed.error?.code).toBe(-32601);
  });

  test("require the token in the Authorization header", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"appchain_shutdown","params":[]}';
    for (const [path, authorization] of [
      ["/", null],
      ["/", "Bearer wrong-token-0123456789"],
      ["/", `Basic ${btoa(`admin:${TOKEN}`)}`],
      [`/?token=${TOKEN}`, null],
      [`/?authorization=Bearer%20${TOKEN}`, null],
      [`/${TOKEN}`, null],
    ] as const) {
      const { status, text } = await send(path, authorization, body);
      expect({ path, status: status === 401 || status === 429 }).toEqual({ path, status: true });
      expect(text).not.toContain(TOKEN);
    }
    expect((await admin("ping")).result).toBe("pong");
  });

  test("reject an oversized list and an oversized body", async () => {
    const many = Array.from({ length: 501 }, () => "0x1");
    const { error } = await admin("flushMempool", { transaction_hashes: many });
    expect(error).toMatchObject({ code: -32602, data: { path: "transaction_hashes" } });
    const huge = "1".repeat(100_000);
    expect((await send("/", `Bearer ${TOKEN}`, huge)).status).toBe(413);
  });

  test("report the status of the node", async () => {
    const { result } = await admin("status");
    const latest = (await resultOf(chain, "blockHashAndNumber")) as Block;
    expect(result).toMatchObject({
      role: "sequencer",
      chain_id: await resultOf(chain, "chainId"),
      latest_block: { block_number: latest.block_number, block_hash: latest.block_hash },
      mempool: { waiting: 0, in_flight: 0 },
    });
    const { open_connections, memory_bytes } = result as Record<string, number>;
    expect(open_connections).toBeGreaterThanOrEqual(1);
    expect(memory_bytes).toBeGreaterThan(1 << 20);
  });

  test("close the block being built, also an empty one", async () => {
    const { transaction_hash: hash } = await chain.account(0).execute(transferCall("0x77", 5n));
    await chain.provider.waitForTransaction(hash, {
      retryInterval: 50,
      successStates: ["PRE_CONFIRMED"],
    });
    const closed = (await admin("closeBlock")).result as Block;
    const block = (await resultOf(chain, "getBlockWithTxHashes", ["latest"])) as Block & {
      readonly transactions: readonly string[];
    };
    expect(block.transactions).toEqual([hash]);
    expect(closed).toEqual({ block_number: block.block_number, block_hash: block.block_hash });
    const empty = (await admin("closeBlock")).result as Block;
    expect(empty.block_number).toBe(closed.block_number + 1);
  }, 60_000);

  test("report block weights that match its transactions and events", async () => {
    const latest = (await resultOf(chain, "blockNumber")) as number;
    const [full, empty] = [latest - 1, latest];
    const { transactions } = (await resultOf(chain, "getBlockWithReceipts", [
      { block_number: full },
    ])) as { transactions: { receipt: { events: unknown[]; execution_resources: object } }[] };
    // The fee transfer's event has no weight (blockifier).
    const events = transactions.flatMap(({ receipt }) => receipt.events).length;
    const { result } = await admin("getBlockBouncerWeights", [full]);
    expect(result).toMatchObject({ n_txs: 1, n_events: events - 1, message_segment_length: 0 });
    const { l2_gas: l2Gas } = (transactions[0]?.receipt.execution_resources ?? {}) as {
      l2_gas: number;
    };
    expect((result as { receipt_l2_gas: number }).receipt_l2_gas).toBe(l2Gas);
    expect((result as { proving_gas: number }).proving_gas).toBeGreaterThan(0);
    expect((await admin("getBlockBouncerWeights", [empty])).result).toMatchObject({ n_txs: 0 });
    expect((await admin("getBlockBouncerWeights", [latest + 1])).error?.code).toBe(24);
  }, 60_000);

  test("drop selected transactions, count each drop once and keep the reason", async () => {
    // Nonces above a gap: these transactions stay in the mempool.
    const first = [await transfer(1, 3), await transfer(1, 4)];
    const second = [await transfer(2, 5), await transfer(2, 6), await transfer(2, 7)];
    const account = chain.accounts[2];
    const waiting = async (params: object = {}) =>
      (await admin("getMempool", params)).result as { waiting: number; transactions: object[] };
    expect((await waiting()).waiting).toBe(5);
    const ofAccount = { contract_address: hexFromFelt(BigInt(account?.address ?? 0)) };
    expect((await waiting(ofAccount)).transactions).toHaveLength(3);
    const narrowed = { ...ofAccount, nonce_after: "0x5", nonce_before: "0x7" };
    expect((await admin("flushMempool", narrowed)).result).toEqual({ dropped: 1, in_flight: 0 });
    const named = { transaction_hashes: [first[0], second[1]] };
    expect((await admin("flushMempool", named)).result).toEqual({ dropped: 1, in_flight: 0 });
    const floods = await Promise.all(
      Array.from({ length: 20 }, () => admin("flushMempool", { all: true })),
    );
    const dropped = floods.map(({ result }) => (result as { dropped: number }).dropped);
    expect(dropped.reduce((a, b) => a + b, 0)).toBe(3);
    const { error } = await rawCall(chain.url, "starknet_getTransactionStatus", [first[1]]);
    expect(JSON.stringify(error)).toContain("operator");
  }, 60_000);

  test("add L1 messages in parallel and reject one that is already consumed", async () => {
    const message = (nonce: number) => ({
      from_address: "0x11",
      to_address: STRK,
      entry_point_selector: "0x123",
      payload: ["0x1"],
      nonce: `0x${nonce.toString(16)}`,
      paid_fee_on_l1: "0x5af3107a4000",
    });
    const nowhere = { ...message(1), to_address: "0x123456" };
    expect((await admin("addL1HandlerMessage", nowhere)).error?.code).toBe(20);
    const added = await Promise.all([1, 2, 3].map((n) => admin("addL1HandlerMessage", message(n))));
    for (const { result } of added) {
      const { transaction_hash, block_number } = result as Block & { transaction_hash: string };
      const receipt = await resultOf(chain, "getTransactionReceipt", [transaction_hash]);
      // The token has no such handler.
      expect(receipt).toMatchObject({
        type: "L1_HANDLER",
        finality_status: "ACCEPTED_ON_L2",
        execution_status: "REVERTED",
        block_number,
      });
    }
    expect((await admin("addL1HandlerMessage", message(1))).error).toMatchObject({
      message: expect.stringContaining("already consumed"),
    });
  }, 60_000);

  test("close consecutive blocks for concurrent requests", async () => {
    const before = (await resultOf(chain, "blockNumber")) as number;
    const closed = await Promise.all(Array.from({ length: 40 }, () => admin("closeBlock")));
    const numbers = closed.map(({ result }) => (result as Block).block_number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, i) => before + 1 + i));
  }, 60_000);

  test("shut the node down cleanly after responding", async () => {
    const [last, height] = [await admin("closeBlock"), await resultOf(chain, "blockNumber")];
    expect((last.result as Block).block_number).toBe(height as number);
    expect((await admin("shutdown")).result).toEqual({ stopping: true });
    expect(await chain.exited).toBe(0);
    const output = chain.output();
    for (const logged of [
      "admin: closeBlock",
      "admin: flushMempool",
      "admin: addL1HandlerMessage",
      "admin: getBlockBouncerWeights",
      "admin: shutdown",
      "stopped",
    ]) {
      expect(output).toContain(logged);
    }
    expect(output).not.toContain(TOKEN);
    await chain.start(kind);
    const number = (await resultOf(chain, "blockNumber")) as number;
    expect(number).toBeGreaterThanOrEqual(height as number);
    expect(await chain.stop()).toBe(0);
  }, 60_000);
});

test("a chain with preset mainnet closes and reverts blocks for an admin, without development methods", async () => {
  const { options, admin } = administered({ preset: "mainnet", args: ["--block-time", "1h"] });
  const chain = await start(options);
  const close = async () => (await admin("closeBlock")).result as Block;
  const [before, after] = [await close(), await close()];
  expect(after.block_number).toBe(before.block_number + 1);
  const { result: weights } = await admin("getBlockBouncerWeights", [after.block_number]);
  expect(weights).toMatchObject({ n_txs: 0, sierra_gas: 0, proving_gas: 0 });
  expect((await admin("revertTo", [before.block_hash])).result).toMatchObject({ removed: 1 });
  expect(await resultOf(chain, "blockNumber")).toBe(before.block_number);
  for (const method of ["devnet_createBlock", "devnet_setTime"]) {
    expect((await rawCall(chain.url, method, [])).error?.code).toBe(-32601);
  }
  expect((await admin("shutdown")).result).toEqual({ stopping: true });
  expect(await chain.exited).toBe(0);
}, 60_000);
