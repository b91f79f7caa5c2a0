import { describe, expect, spyOn, test } from "bun:test";
import { DevnetFault, dumpedMethods, loadDump } from "#api/rpc/index.ts";
import { InvalidParamsError } from "#api/rpc/decode-params.ts";
import { askDevnet, refusedPath } from "#test/helpers/devnet.ts";
import { dumpEntry, dumpWorld } from "#test/helpers/dump-world.ts";

const MINT = dumpEntry("devnet_mint", { address: "0x5", amount: 7 });
const CREATE = dumpEntry("devnet_createBlock", null);

describe("devnet_load", () => {
  test("restarts the chain and replays the requests of a file in order", async () => {
    const { context, calls, steps, files } = dumpWorld();
    files.set("/dump", JSON.stringify([MINT, CREATE]));
    expect(await askDevnet("devnet_load", { path: "/dump" }, context)).toEqual({ result: {} });
    expect(calls.slice(0, 2)).toEqual([
      ["mint", 5n, 7n, "FRI"],
      ["createBlock", false],
    ]);
    // Blocks are made as configured; the mint is executed before the block is sealed.
    expect(steps.map((step) => (step as unknown[])[0])).toEqual([
      "restart",
      "executed",
      "resumeTime",
      "hold",
    ]);
  });

  test("accepts an inline dump and holds blocks between its open and seal entries", async () => {
    const { context, calls, steps, recorder } = dumpWorld();
    const dump = [
      dumpEntry("devnet_setTime", { time: 2_000_000_001, generate_block: false }, "appchain:open"),
      { ...MINT, id: "0x717" },
      dumpEntry("devnet_createBlock", {}, "appchain:seal"),
    ];
    expect(await askDevnet("devnet_load", { dump }, context)).toEqual({ result: {} });
    expect(calls.map((call) => (call as unknown[])[0])).toEqual(["setTime", "mint", "createBlock"]);
    expect(steps.slice(0, 2)).toEqual([["hold", true], ["restart"]]);
    expect(steps.at(-1)).toEqual(["hold", false]);
    // Entries that a dump adds itself are not recorded: the next dump adds them again.
    expect(recorder.requests().map(({ method }) => method)).toEqual(["devnet_mint"]);
  });

  test("names the entry that cannot be replayed", async () => {
    const { context, steps } = dumpWorld();
    const load = (dump: readonly object[]) =>
      askDevnet("devnet_load", { dump: dump as never }, context);
    expect(await load([CREATE, dumpEntry("devnet_mint", { address: "0x5", amount: -1 })])).toEqual({
      error: {
        code: -1,
        message:
          "entry 1 (devnet_mint) cannot be replayed: Invalid params: amount: expected number from 0 to 2^256 - 1",
        data: {
          entry: 1,
          method: "devnet_mint",
          error: { code: -32602, message: "Invalid params", data: expect.anything() },
        },
      },
    });
    expect(steps.at(-1)).toEqual(["hold", false]);
    expect(await load([{ ...MINT, id: "0x999" }])).toMatchObject({
      error: {
        message: expect.stringContaining("it creates transaction 0x717 instead of 0x999"),
      },
    });
  });

  test("reports why a transaction was not executed", async () => {
    const { context } = dumpWorld({
      executed: () => Promise.reject(new DevnetFault("the transaction was rejected: no balance")),
    });
    expect(await askDevnet("devnet_load", { dump: [MINT] }, context)).toMatchObject({
      error: {
        message:
          "entry 0 (devnet_mint) cannot be replayed: the transaction was rejected: no balance",
      },
    });
  });

  test("leaves the chain unchanged if the dump is invalid", async () => {
    const { context, steps, files } = dumpWorld();
    files.set("/dump", "5");
    const reasons: unknown[] = [];
    for (const params of [
      { path: "/nowhere" },
      { path: "/dump" },
      { dump: { jsonrpc: "2.0" } },
      { dump: [5] },
      { dump: [CREATE, { ...CREATE, jsonrpc: "1.0" }] },
      { dump: [dumpEntry("starknet_chainId")] },
      { dump: [dumpEntry("devnet_load", { path: "/dump" })] },
      { dump: [dumpEntry("devnet_restart")] },
    ]) {
      const answer = await askDevnet("devnet_load", params as never, context);
      reasons.push("error" in answer ? [answer.error.code, answer.error.message] : answer);
    }
    const replayable = "expected a method that changes the chain and can be replayed";
    expect(reasons).toEqual([
      [-1, "The file does not exist"],
      [-1, "the dump: expected an array of requests, got number"],
      [-1, "the dump: expected an array of requests, got object"],
      [-1, "entry 0: expected a JSON-RPC 2.0 request with a method"],
      [-1, "entry 1: expected a JSON-RPC 2.0 request with a method"],
      [-1, `entry 0 (starknet_chainId): ${replayable}`],
      [-1, `entry 0 (devnet_load): ${replayable}`],
      [-1, `entry 0 (devnet_restart): ${replayable}`],
    ]);
    expect(steps).toEqual([]);
  });

  test("requires either a path or a dump", async () => {
    expect(await refusedPath("devnet_load", {}, dumpWorld().context)).toBe("path");
    const both = { path: "/dump", dump: [] };
    expect(await refusedPath("devnet_load", both, dumpWorld().context)).toBe("path");
    expect(await refusedPath("devnet_load", { test: "" }, dumpWorld().context)).toBe("test");
  });

  test("replaces the record, and does not wait for transactions that were pending in the dump", async () => {
    const seen: unknown[] = [];
    const { context, dumps, recorder, steps } = dumpWorld({
      executed: (hash) => Promise.resolve(void seen.push([hash, dumps.isLoading])),
    });
    const accepted = spyOn(dumps, "accepted").mockImplementation(() => {
      steps.push(["accepted"]);
      return Promise.resolve();
    });
    await askDevnet("devnet_autoImpersonate", [], context);
    const dump = [MINT, { ...MINT, id: "appchain:waiting" }];
    expect(await askDevnet("devnet_load", { dump }, context)).toEqual({ result: {} });
    expect(recorder.requests().map(({ method }) => method)).toEqual(["devnet_mint", "devnet_mint"]);
    expect(seen).toEqual([[0x717n, true]]);
    expect(dumps.isLoading).toBe(false);
    // Its results are readable when it responds.
    expect(steps.slice(-2)).toEqual([["hold", false], ["accepted"]]);
    expect(accepted).toHaveBeenCalledTimes(1);
  });

  test("retries a request in the format of an older version of the specification", async () => {
    const { context, dumps, calls } = dumpWorld();
    const [newest] = dumpedMethods("devnet_createBlock");
    if (newest === undefined) throw new TypeError("there is such a method");
    const refusing = {
      ...newest,
      invoke: () => Promise.reject(new InvalidParamsError("version", "0x3", "0x1")),
    };
    const entries = [{ method: "devnet_createBlock", params: {}, id: 0 }];
    await loadDump(
      { context, dumps, find: () => [refusing, newest] },
      { fork: null, entries },
      false,
    );
    expect(calls).toContainEqual(["createBlock", false]);
    const load = loadDump(
      { context, dumps, find: () => [refusing] },
      { fork: null, entries },
      false,
    );
    expect(String(await load.catch((error: unknown) => error))).toContain("version: expected 0x3");
  });

  test("rejects other requests while it loads", async () => {
    const { context, dumps } = dumpWorld();
    dumps.isLoading = true;
    for (const method of ["devnet_createBlock", "devnet_load", "devnet_dump", "devnet_restart"]) {
      expect(await askDevnet(method, [], context)).toMatchObject({
        error: { code: -1, message: "a dump is being loaded: try again later" },
      });
    }
    expect(await askDevnet("devnet_getConfig", [], context)).toMatchObject({ result: {} });
  });
});

test("devnet_load refuses the dump of another fork with both, and changes nothing", async () => {
  const fork = { chainId: "SN_MAIN", blockNumber: 12, blockHash: 0xabn };
  const dump = [
    dumpEntry("devnet_getConfig", {}, "appchain:fork:12:0xcd:SN_MAIN"),
    dumpEntry("devnet_createBlock", {}, 1),
  ];
  const dumped = "the dump is of a fork of block 12 (0xcd) of SN_MAIN, and this chain is";
  for (const [own, text] of [
    [fork, "a fork of block 12 (0xab) of SN_MAIN"],
    [{ ...fork, blockHash: 0xcdn, chainId: "OTHER" }, "a fork of block 12 (0xcd) of OTHER"],
    [null, "no fork"],
  ] as const) {
    const { context, steps } = dumpWorld({ access: { fork: own } });
    const answer = await askDevnet("devnet_load", { dump }, context);
    expect(answer).toHaveProperty("error.message", `${dumped} ${text}`);
    expect(steps).toEqual([]);
  }
  const { context, calls } = dumpWorld({ access: { fork: { ...fork, blockHash: 0xcdn } } });
  expect(await askDevnet("devnet_load", { dump }, context)).toEqual({ result: {} });
  expect(calls).toEqual([["createBlock", false]]);
});
