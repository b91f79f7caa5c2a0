import { expect, test } from "bun:test";
import { resultOf, specTest } from "#test/helpers/rpc.ts";
import { testBadParams } from "./common.ts";

test("answers the version of the specification", async () => {
  expect(await resultOf("specVersion")).toBe("0.10.2");
});

testBadParams("specVersion", { block_id: "latest" }, "block_id");
testBadParams("specVersion", [1], "[0]");
specTest("specVersion", [[[]]]);
