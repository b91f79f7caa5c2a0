import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

const AT = { contract_address: "0xc0", key: "0x10" };
const UPDATED = { ...AT, response_flags: ["INCLUDE_LAST_UPDATE_BLOCK"] };
const tracking = sampleContext({ lastStorageUpdate: (_address, _key, block) => block });
const neverWritten = sampleContext({ lastStorageUpdate: () => undefined });

for (const [block_id, value] of [
  [{ block_number: 0 }, "0x111"],
  ["latest", "0x222"],
  ["pre_confirmed", "0x333"],
] as const) {
  test(`answers the value at ${JSON.stringify(block_id)}`, async () => {
    expect(await resultOf("getStorageAt", { ...AT, block_id })).toBe(value);
  });
}

test("a variable that was never written is 0", async () => {
  expect(await resultOf("getStorageAt", { ...AT, key: "0x99", block_id: "latest" })).toBe("0x0");
});

test("the contract of block hashes has storage and no class", async () => {
  expect(await resultOf("getStorageAt", ["0x1", "0x0", "latest"])).toBe("0xabc");
});

test("the contract of block hashes answers 0 where it holds nothing", async () => {
  expect(await resultOf("getStorageAt", ["0x1", "0x7", "latest"])).toBe("0x0");
});

for (const contract_address of ["0x0", "0x3", "0x99"]) {
  test(`the address ${contract_address} without contract is CONTRACT_NOT_FOUND`, async () => {
    const params = { ...AT, contract_address, block_id: "latest" };
    expect(await errorOf("getStorageAt", params)).toEqual(errorObject("CONTRACT_NOT_FOUND"));
  });
}

test("the contract of aliases answers 0 where it holds nothing", async () => {
  expect(await resultOf("getStorageAt", ["0x2", "0x7", "latest"])).toBe("0x0");
});

test("tells the block of the last update when asked to", async () => {
  expect(await resultOf("getStorageAt", { ...UPDATED, block_id: "latest" }, tracking)).toEqual({
    value: "0x222",
    last_update_block: 1,
  });
});

test("an update in the block being built counts", async () => {
  const params = { ...UPDATED, block_id: "pre_confirmed" };
  expect(await resultOf("getStorageAt", params, tracking)).toMatchObject({ last_update_block: 2 });
});

test("the block of the last update is 0 for a variable that was never written", async () => {
  expect(
    await resultOf("getStorageAt", { ...UPDATED, key: "0x9", block_id: "latest" }, neverWritten),
  ).toEqual({ value: "0x0", last_update_block: 0 });
});

test("a store that does not keep updates says so", async () => {
  expect(await errorOf("getStorageAt", { ...UPDATED, block_id: "latest" })).toMatchObject({
    code: -32603,
    data: "INCLUDE_LAST_UPDATE_BLOCK: this node does not keep it",
  });
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
  [{ ...UPDATED, block_id: "latest" }, tracking],
  [["0x99", "0x0", "latest"]],
  [["0xc0", "0x0", NO_BLOCK]],
]);
