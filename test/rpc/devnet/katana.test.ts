import { expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";
import { CONTRACT } from "#test/helpers/sample-chain.ts";

test("dev_generateBlock makes a block", async () => {
  const { context, told } = devnetWorld();
  expect(await askDevnet("dev_generateBlock", [], context)).toEqual({ result: null });
  expect(told).toEqual([["createBlock", false]]);
});

test("dev_nextBlockTimestamp tells the chain's time", async () => {
  expect(await askDevnet("dev_nextBlockTimestamp", [])).toEqual({ result: 2_000_000_000 });
});

test("dev_setNextBlockTimestamp sets the time, never back", async () => {
  const { context, told } = devnetWorld();
  const method = "dev_setNextBlockTimestamp";
  expect(await askDevnet(method, [2_000_000_000], context)).toEqual({ result: null });
  expect(told).toEqual([["setTime", 2_000_000_000]]);
  expect(await refusedPath(method, { timestamp: 0 }, context)).toBe("timestamp");
});

test("dev_increaseNextBlockTimestamp puts the time forward", async () => {
  const { context, told } = devnetWorld();
  const method = "dev_increaseNextBlockTimestamp";
  expect(await askDevnet(method, { timestamp: 5 }, context)).toEqual({ result: null });
  expect(told).toEqual([["increaseTime", 5]]);
  expect(await refusedPath(method, [253_402_300_799])).toBe("timestamp");
});

test("dev_predeployedAccounts tells the accounts with their keys", async () => {
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
