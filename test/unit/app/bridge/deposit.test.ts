import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { keccak256 } from "viem";
import { readBridgeSettings } from "#app/bootstrap/index.ts";
import {
  type BridgedToken,
  deposit,
  sidesOf,
  type Transfer,
  TransferFile,
} from "#app/bridge/index.ts";
import { AppError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const TOKEN: BridgedToken = {
  l1Token: "0x0000000000000000000000000000000000455448",
  l2Token: 1n,
  l1Bridge: `0x${"2".repeat(40)}`,
  l2Bridge: 3n,
  core: `0x${"4".repeat(40)}`,
  contract: "EthBridge",
  symbol: "ETH",
  decimals: 18,
};
const TRANSFER: Transfer = {
  kind: "deposit",
  app_chain_id: "X",
  eth_chain_id: 31_337,
  l1_token: TOKEN.l1Token,
  l1_bridge: TOKEN.l1Bridge,
  l2_bridge: "0x3",
  amount: "5",
  l1_account: "0x",
  l2_account: "0x7",
};

/** L1's responses by method; a function receives the parameters. */
let answers: Record<string, unknown>;
let sent: string[];
let nonce: number;

const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const { method, params } = (await request.json()) as { method: string; params: unknown[] };
    if (method === "eth_sendRawTransaction") sent.push(String(params[0]));
    const answer = answers[method];
    const result: unknown = await (typeof answer === "function" ? answer(params) : answer);
    if (result instanceof RangeError) {
      return Response.json({ id: 1, error: { code: -32_000, message: result.message } });
    }
    return Response.json({ id: 1, result });
  },
});
const folder = temporaryFolder();
afterAll(async () => {
  await server.stop(true);
  folder[Symbol.dispose]();
});

beforeEach(() => {
  sent = [];
  nonce = 0;
  answers = {
    eth_chainId: "0x7a69",
    eth_getBalance: "0xde0b6b3a7640000",
    eth_getTransactionCount: () => `0x${nonce.toString(16)}`,
    eth_estimateGas: "0x5208",
    eth_maxPriorityFeePerGas: "0x1",
    eth_getBlockByNumber: { number: "0x1", baseFeePerGas: "0x1", transactions: [] },
    eth_sendRawTransaction: ([raw]: [`0x${string}`]) => keccak256(raw),
    eth_getTransactionReceipt: null,
  };
});

let files = 0;

/** A deposit whose runs share a file; each returns its result. */
function resumable() {
  const path = folder.file(`deposit-${files++}.json`);
  return async (signal = new AbortController().signal): Promise<unknown> => {
    const url = server.url.href;
    const { settings } = readBridgeSettings({ APP_CHAIN_ID: "X", ETH_RPC: url });
    const sides = sidesOf({ ...settings, transactionWaitMs: 30, crossChainWaitMs: 30 }, null, {
      timer: SYSTEM_TIMER,
      signal,
    });
    using file = TransferFile.open(path, TRANSFER);
    const request = { token: TOKEN, amount: 5n, recipient: 7n, mints: false };
    return await deposit(sides, file, request, () => {}).catch((error: unknown) => error);
  };
}

describe("a deposit over an L1 endpoint that", () => {
  test("never shows the transaction sends the same one again, at any reported nonce", async () => {
    const run = resumable();
    for (let runs = 0; runs < 3; runs++) {
      expect(await run()).toMatchObject({ code: "BOOTSTRAP_L1_TRANSACTION" });
      nonce += 5;
    }
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
  });

  test("rejects the transaction as known or outdated still requests its receipt", async () => {
    const run = resumable();
    for (const text of ["already known", "nonce too low"]) {
      answers["eth_sendRawTransaction"] = () => new RangeError(text);
      const end = await run();
      expect(end).toMatchObject({ code: "BOOTSTRAP_L1_TRANSACTION" });
      expect(String(end)).toContain(text);
    }
    expect(new Set(sent).size).toBe(1);
  });

  test("returns the receipt of another transaction is refused", async () => {
    const run = resumable();
    await run();
    answers["eth_getTransactionReceipt"] = {
      status: "0x1",
      transactionHash: `0x${"9".repeat(64)}`,
      logs: [],
    };
    expect(String(await run())).toContain("with another receipt");
  });

  test.each([
    ["no logs", []],
    ["invalid logs", [{}, null, 5]],
    ["a log of another contract", [{ address: TOKEN.core, topics: [], data: "0x" }]],
    ["another event of the bridge", [{ address: TOKEN.l1Bridge, topics: ["0x1"], data: "0x" }]],
  ])("returns %s for the deposit ends without another transaction", async (_, logs) => {
    const run = resumable();
    answers["eth_getTransactionReceipt"] = { status: "0x1", logs };
    for (let runs = 0; runs < 2; runs++) {
      expect(await run()).toMatchObject({ code: "BOOTSTRAP_NONSENSE" });
    }
    expect(new Set(sent).size).toBeLessThanOrEqual(1);
  });

  test("reports a failed transaction ends each run without signing another one", async () => {
    const run = resumable();
    answers["eth_getTransactionReceipt"] = { status: "0x0", logs: [] };
    for (let runs = 0; runs < 2; runs++) {
      const end = await run();
      expect(end).toMatchObject({ code: "BOOTSTRAP_L1_TRANSACTION" });
      expect(String(end)).toContain("failed on L1");
    }
    expect(sent).toEqual([]);
  });

  test("reports prices above 1 ETH, or too little balance, receives no transaction", async () => {
    answers["eth_getBlockByNumber"] = {
      number: "0x1",
      baseFeePerGas: "0xffffffffffffff",
      transactions: [],
    };
    expect(await resumable()()).toMatchObject({ code: "BOOTSTRAP_COST" });
    answers["eth_getBalance"] = "0x5";
    expect(await resumable()()).toMatchObject({ code: "BOOTSTRAP_BALANCE" });
    expect(sent).toEqual([]);
  });

  test("hangs is abandoned on abort, and the next run sends the same transaction", async () => {
    const run = resumable();
    const stop = new AbortController();
    const { eth_sendRawTransaction: honest } = answers;
    const { promise: hung, resolve } = Promise.withResolvers<null>();
    answers["eth_sendRawTransaction"] = () => {
      stop.abort();
      return hung;
    };
    expect(await run(stop.signal)).toMatchObject({ code: "BOOTSTRAP_STOPPED" });
    resolve(null);
    answers["eth_sendRawTransaction"] = honest;
    await run();
    expect(sent).toHaveLength(2);
    expect(new Set(sent).size).toBe(1);
  });

  test("returns one value for everything ends with a reason", async () => {
    const lies = [null, "", "zz", "0x", "0x1", [], [null], {}, -1, true, `0x${"f".repeat(10_000)}`];
    for (const lie of lies) {
      answers = new Proxy({}, { get: () => lie });
      const end = await resumable()();
      if (!(end instanceof AppError)) throw new TypeError(`${JSON.stringify(lie)}: ${String(end)}`);
    }
  });
});
