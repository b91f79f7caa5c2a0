import { expect, test } from "bun:test";
import { errorOf } from "#test/helpers/rpc.ts";
import { testBadParams } from "./common.ts";

test("says that it is not built yet", async () => {
  const params = { transaction_hash: "0x100" };
  expect(await errorOf("traceTransaction", params)).toEqual({
    code: -32603,
    message: "Internal error",
    data: "traceTransaction is not built yet",
  });
});

testBadParams("traceTransaction", {}, "transaction_hash");
