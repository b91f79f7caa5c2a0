import { expect, test } from "bun:test";
import { errorOf } from "#test/helpers/rpc.ts";
import { testBadParams } from "./common.ts";

test("says that it is not built yet", async () => {
  const params = {
    message: { from_address: "0x1", to_address: "0x2", entry_point_selector: "0x3", payload: [] },
    block_id: "latest",
  };
  expect(await errorOf("estimateMessageFee", params)).toEqual({
    code: -32603,
    message: "Internal error",
    data: "estimateMessageFee is not built yet",
  });
});

testBadParams(
  "estimateMessageFee",
  {
    message: { from_address: "0x1", to_address: "0x2", entry_point_selector: "0x3" },
    block_id: "latest",
  },
  "message.payload",
);
