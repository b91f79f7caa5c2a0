import { expect, test } from "bun:test";
import { errorOf } from "#test/helpers/rpc.ts";
import { testBadParams } from "./common.ts";

test("says that it is not built yet", async () => {
  const params = { block_id: "latest", transactions: [] };
  expect(await errorOf("simulateTransactions", params)).toEqual({
    code: -32603,
    message: "Internal error",
    data: "simulateTransactions is not built yet",
  });
});

testBadParams(
  "simulateTransactions",
  { block_id: "latest", transactions: [], simulation_flags: ["SKIP"] },
  "simulation_flags[0]",
);
