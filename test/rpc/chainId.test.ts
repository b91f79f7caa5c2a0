import { expect, test } from "bun:test";
import { resultOf, specTest } from "#test/helpers/rpc.ts";
import { testBadParams } from "./common.ts";

test("returns the chain id as a hex short string", async () => {
  // "SN_TEST" in ASCII.
  expect(await resultOf("chainId")).toBe("0x534e5f54455354");
});

testBadParams("chainId", { id: 1 }, "id");
specTest("chainId", [[[]]]);
