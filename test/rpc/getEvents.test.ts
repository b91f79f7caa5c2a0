import { expect, test } from "bun:test";
import { errorOf } from "#test/helpers/rpc.ts";
import { testBadParams } from "./common.ts";

test("says that it is not built yet", async () => {
  const params = {
    filter: {
      chunk_size: 10,
      from_block: { block_number: 0 },
      to_block: "latest",
      address: "0x1",
      keys: [["0x2"], []],
    },
  };
  expect(await errorOf("getEvents", params)).toEqual({
    code: -32603,
    message: "Internal error",
    data: "getEvents is not built yet",
  });
});

testBadParams("getEvents", { filter: { from_block: "latest" } }, "filter.chunk_size");
