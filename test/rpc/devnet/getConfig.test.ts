import { expect, test } from "bun:test";
import { askDevnet, refusedPath } from "#test/helpers/devnet.ts";

test("devnet_getConfig returns the settings", async () => {
  expect(await askDevnet("devnet_getConfig", {})).toEqual({ result: { seed: 7 } });
  expect(await refusedPath("devnet_getConfig", [1])).toBe("[0]");
});
