import { expect, test } from "bun:test";
import { errorOf } from "#test/helpers/rpc.ts";
import { testBadParams } from "./common.ts";

test("says that it is not built yet", async () => {
  const params = { block_id: "latest" };
  expect(await errorOf("traceBlockTransactions", params)).toEqual({
    code: -32603,
    message: "Internal error",
    data: "traceBlockTransactions is not built yet",
  });
});

testBadParams("traceBlockTransactions", { block_id: "pre_confirmed" }, "block_id");
