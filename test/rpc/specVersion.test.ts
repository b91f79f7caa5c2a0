import { expect, test } from "bun:test";
import { resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { testBadParams } from "./common.ts";

test("returns the version of the specification", async () => {
  expect(await resultOf("specVersion")).toBe("0.10.2");
});

test("returns the version of each table", async () => {
  for (const version of ["0.10.2", "0.9.0", "0.8.1", "0.7.1"]) {
    expect(await resultOf("specVersion", [], sampleContext(), version)).toBe(version);
  }
});

testBadParams("specVersion", { block_id: "latest" }, "block_id");
testBadParams("specVersion", [1], "[0]");
specTest("specVersion", [[[]]]);
