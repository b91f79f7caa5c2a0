import { expect, test } from "bun:test";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_postmanFlush";

test(`${METHOD} tells the messages to L1; the imitated L1 sends none`, async () => {
  const asked: boolean[] = [];
  const { context } = devnetWorld({
    flushMessages(isDry) {
      asked.push(isDry);
      return [{ fromAddress: 0xc0n, toAddress: 7n, payload: [1n, 2n] }];
    },
  });
  const flushed = {
    messages_to_l1: [{ from_address: "0xc0", to_address: "0x7", payload: ["0x1", "0x2"] }],
    messages_to_l2: [],
    generated_l2_transactions: [],
  };
  expect(await askDevnet(METHOD, {}, context)).toEqual({
    result: { ...flushed, l1_provider: "mock" },
  });
  expect(await askDevnet(METHOD, { dry_run: true }, context)).toEqual({
    result: { ...flushed, l1_provider: "dry run" },
  });
  expect(asked).toEqual([false, true]);
  expect(await refusedPath(METHOD, { dry_run: 1 })).toBe("dry_run");
});
