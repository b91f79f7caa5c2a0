import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import type { JsonValue } from "#base/codec/index.ts";
import { fakeDiff, fakePending } from "#test/helpers/fake-chain.ts";
import { CONTRACT, SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const AT = { contract_address: "0xc0", key: "0x10" };
const UPDATED = { ...AT, response_flags: ["INCLUDE_LAST_UPDATE_BLOCK"] };

for (const [block_id, value] of [
  [{ block_number: 0 }, "0x111"],
  ["latest", "0x222"],
  ["pre_confirmed", "0x333"],
] as const) {
  test(`returns the value at ${JSON.stringify(block_id)}`, async () => {
    expect(await resultOf("getStorageAt", { ...AT, block_id })).toBe(value);
  });
}

test("returns 0 for a variable that was never written", async () => {
  expect(await resultOf("getStorageAt", { ...AT, key: "0x99", block_id: "latest" })).toBe("0x0");
});

test("reads the block hash contract, which has no class", async () => {
  expect(await resultOf("getStorageAt", ["0x1", "0x0", "latest"])).toBe("0xabc");
});

test("returns 0 for an unset variable of the block hash contract", async () => {
  expect(await resultOf("getStorageAt", ["0x1", "0x7", "latest"])).toBe("0x0");
});

for (const contract_address of ["0x0", "0x3", "0x99"]) {
  test(`responds CONTRACT_NOT_FOUND for the unknown address ${contract_address}`, async () => {
    const params = { ...AT, contract_address, block_id: "latest" };
    expect(await errorOf("getStorageAt", params)).toEqual(errorObject("CONTRACT_NOT_FOUND"));
  });
}

test("returns 0 for an unset variable of the alias contract", async () => {
  expect(await resultOf("getStorageAt", ["0x2", "0x7", "latest"])).toBe("0x0");
});

/** Value of a variable and the last block that changed it. */
async function lastUpdate(key: string, block_id: JsonValue, context?: FullContext) {
  return resultOf("getStorageAt", { ...UPDATED, key, block_id }, context);
}

test("returns the block of the last update on request", async () => {
  const value = "0x222";
  expect(await lastUpdate("0x10", "latest")).toEqual({ value, last_update_block: 1 });
  expect(await lastUpdate("0x10", { block_number: 0 })).toEqual({
    value: "0x111",
    last_update_block: 0,
  });
});

test("considers updates in the pre-confirmed block", async () => {
  expect(await lastUpdate("0x10", "pre_confirmed")).toMatchObject({ last_update_block: 2 });
  expect(await lastUpdate("0x20", "pre_confirmed")).toEqual({ value: "0x2", last_update_block: 1 });
});

test("considers updates in sealed, unaccepted blocks", async () => {
  const layer = (number: number, value?: bigint) =>
    fakePending(SAMPLE_CHAIN, {
      info: { number },
      stateDiff: fakeDiff(
        value === undefined
          ? {}
          : { storageDiffs: new Map([[CONTRACT, new Map([[0x10n, value]])]]) },
      ),
    });
  const over = (...values: (bigint | undefined)[]) => {
    const views = values.map((value, i) => layer(2 + i, value));
    return sampleContext({ unaccepted: () => views, pending: () => views.at(-1) });
  };
  const blockOf = (...values: (bigint | undefined)[]) =>
    lastUpdate("0x10", "pre_confirmed", over(...values));
  expect(await blockOf(5n, undefined)).toMatchObject({ last_update_block: 2 });
  expect(await blockOf(5n, 6n, undefined)).toMatchObject({ last_update_block: 3 });
  // Diffs of unaccepted blocks may contain unchanged values.
  expect(await blockOf(5n, 5n)).toMatchObject({ last_update_block: 2 });
  expect(await blockOf(0x222n)).toMatchObject({ last_update_block: 1 });
});

test("returns last update block 0 for a variable that was never written", async () => {
  for (const tag of ["latest", "pre_confirmed"]) {
    expect(await lastUpdate("0x9", tag)).toEqual({ value: "0x0", last_update_block: 0 });
  }
});

testBlockId("getStorageAt", AT);
testBadParams("getStorageAt", { ...AT, key: `0x8${"0".repeat(62)}`, block_id: "latest" }, "key");
testBadParams("getStorageAt", { key: "0x1", block_id: "latest" }, "contract_address");
testBadParams(
  "getStorageAt",
  ["0x800000000000011000000000000000000000000000000000000000000000001", "0x1", "latest"],
  "contract_address",
);
testByPosition("getStorageAt", { ...AT, block_id: "latest" });
specTest("getStorageAt", [
  [{ ...AT, block_id: "latest" }],
  [{ ...UPDATED, block_id: "latest" }],
  [["0x99", "0x0", "latest"]],
  [["0xc0", "0x0", NO_BLOCK]],
]);
