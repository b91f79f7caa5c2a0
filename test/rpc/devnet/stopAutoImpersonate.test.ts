import { describe, expect, test } from "bun:test";
import { askDevnet, devnetWorld } from "#test/helpers/devnet.ts";

const METHOD = "devnet_stopAutoImpersonate";

describe(METHOD, () => {
  test("returns an empty object without parameters", async () => {
    for (const params of [{}, []]) {
      const { context, calls } = devnetWorld();
      expect(await askDevnet(METHOD, params, context)).toEqual({ result: {} });
      expect(calls).toEqual([["impersonateAll", false]]);
    }
  });

  test("takes no parameters", async () => {
    const { context, calls } = devnetWorld();
    for (const params of [["0x1"], { account_address: "0x1" }]) {
      expect(await askDevnet(METHOD, params, context)).toMatchObject({ error: { code: -32602 } });
    }
    expect(calls).toEqual([]);
  });
});
