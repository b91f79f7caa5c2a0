import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

for (const [block_id, nonce] of [
  [{ block_number: 0 }, "0x1"],
  ["latest", "0x2"],
  ["pre_confirmed", "0x3"],
] as const) {
  test(`returns the nonce at ${JSON.stringify(block_id)}`, async () => {
    expect(await resultOf("getNonce", { block_id, contract_address: "0xc0" })).toBe(nonce);
  });
}

test("returns nonce 0 for a contract that has sent nothing", async () => {
  expect(await resultOf("getNonce", ["pre_confirmed", "0xc1"])).toBe("0x0");
});

test("responds CONTRACT_NOT_FOUND for an unknown address", async () => {
  expect(await errorOf("getNonce", ["latest", "0x99"])).toEqual(errorObject("CONTRACT_NOT_FOUND"));
});

testBlockId("getNonce", { contract_address: "0xc0" });
testBadParams("getNonce", ["latest", null], "contract_address");
testByPosition("getNonce", { block_id: "latest", contract_address: "0xc0" });
specTest("getNonce", [[["latest", "0xc0"]], [["latest", "0x99"]], [[NO_BLOCK, "0xc0"]]]);
