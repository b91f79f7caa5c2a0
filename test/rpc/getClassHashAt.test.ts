import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

for (const [block_id, hash] of [
  [{ block_number: 0 }, "0x1e6ac"],
  [{ block_hash: "0xb10c1" }, "0x51e77a"],
  ["l1_accepted", "0x1e6ac"],
] as const) {
  test(`returns the class hash at ${JSON.stringify(block_id)}`, async () => {
    expect(await resultOf("getClassHashAt", { block_id, contract_address: "0xc0" })).toBe(hash);
  });
}

test("responds CONTRACT_NOT_FOUND for an unknown address", async () => {
  expect(await errorOf("getClassHashAt", ["latest", "0x99"])).toEqual(
    errorObject("CONTRACT_NOT_FOUND"),
  );
});

testBlockId("getClassHashAt", { contract_address: "0xc0" });
testBadParams("getClassHashAt", ["latest"], "contract_address");
testByPosition("getClassHashAt", { block_id: "latest", contract_address: "0xc0" });
specTest("getClassHashAt", [[["latest", "0xc0"]], [["latest", "0x99"]], [[NO_BLOCK, "0xc0"]]]);
