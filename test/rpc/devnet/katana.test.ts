import { expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";
import { CONTRACT } from "#test/helpers/sample-chain.ts";

test("dev_generateBlock creates a block", async () => {
  const { context, calls } = devnetWorld();
  expect(await askDevnet("dev_generateBlock", [], context)).toEqual({ result: null });
  expect(calls).toEqual([["createBlock", false]]);
});

test("dev_nextBlockTimestamp returns the chain's time", async () => {
  expect(await askDevnet("dev_nextBlockTimestamp", [])).toEqual({ result: 2_000_000_000 });
});

test("dev_setNextBlockTimestamp sets the time, but never back", async () => {
  const { context, calls } = devnetWorld();
  const method = "dev_setNextBlockTimestamp";
  expect(await askDevnet(method, [2_000_000_000], context)).toEqual({ result: null });
  expect(calls).toEqual([["setTime", 2_000_000_000]]);
  expect(await refusedPath(method, { timestamp: 0 }, context)).toBe("timestamp");
});

test("dev_increaseNextBlockTimestamp moves the time forward", async () => {
  const { context, calls } = devnetWorld();
  const method = "dev_increaseNextBlockTimestamp";
  expect(await askDevnet(method, { timestamp: 5 }, context)).toEqual({ result: null });
  expect(calls).toEqual([["increaseTime", 5]]);
  expect(await refusedPath(method, [253_402_300_799])).toBe("timestamp");
});

test("dev_predeployedAccounts returns the accounts with their keys", async () => {
  expect(await askDevnet("dev_predeployedAccounts", [])).toEqual({
    result: [
      {
        address: `0x${CONTRACT.toString(16)}`,
        publicKey: "0xab",
        privateKey: "0xcd",
        balance: "0x0",
      },
    ],
  });
});

test("txpool_content lists ready and queued transactions by sender and nonce", async () => {
  const { context } = devnetWorld();
  const listed = { kind: "INVOKE", receivedAtMs: 0, maxFee: 9n, tip: 1n } as const;
  const limits: number[] = [];
  const waiting = (limit: number) => {
    limits.push(limit);
    return Promise.resolve({
      waiting: 3,
      ahead: 1,
      inFlight: 0,
      transactions: [
        { ...listed, hash: 0xan, sender: 1n, nonce: 0n, isReady: true },
        { ...listed, hash: 0xbn, sender: 1n, nonce: 1n, isReady: true },
        { ...listed, hash: 0xcn, sender: 2n, nonce: 17n, isReady: false, maxFee: 2n ** 64n },
      ],
    });
  };
  const entry = { sender: "0x1", max_fee: 9, tip: 1 };
  expect(await askDevnet("txpool_content", [], { ...context, waiting })).toEqual({
    result: {
      pending: {
        "0x1": {
          "0x0": { ...entry, hash: "0xa", nonce: "0x0" },
          "0x1": { ...entry, hash: "0xb", nonce: "0x1" },
        },
      },
      queued: {
        "0x2": { "0x11": { hash: "0xc", nonce: "0x11", sender: "0x2", max_fee: 2 ** 64, tip: 1 } },
      },
    },
  });
  expect(limits).toEqual([1_000]);
});
