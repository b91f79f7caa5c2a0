import { expect, test } from "bun:test";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId, testByPosition } from "./common.ts";

test("returns the class of the contract", async () => {
  const params = { block_id: "latest", contract_address: "0xc0" };
  expect(await resultOf("getClassAt", params)).toMatchObject({ contract_class_version: "0.1.0" });
});

test("returns the class that the contract had at the block", async () => {
  expect(await resultOf("getClassAt", [{ block_number: 0 }, "0xc0"])).toHaveProperty("program");
});

test("returns the class of a contract in the pre-confirmed block", async () => {
  expect(await resultOf("getClassAt", ["pre_confirmed", "0xc1"])).toHaveProperty("sierra_program");
});

test("responds CONTRACT_NOT_FOUND for an unknown address", async () => {
  expect(await errorOf("getClassAt", ["latest", "0xc1"])).toEqual(
    errorObject("CONTRACT_NOT_FOUND"),
  );
});

testBlockId("getClassAt", { contract_address: "0xc0" });
testBadParams("getClassAt", ["latest", "c0"], "contract_address");
testByPosition("getClassAt", { block_id: "latest", contract_address: "0xc0" });
specTest("getClassAt", [
  [["latest", "0xc0"]],
  [[{ block_number: 0 }, "0xc0"]],
  [["latest", "0x99"]],
  [[NO_BLOCK, "0xc0"]],
]);
