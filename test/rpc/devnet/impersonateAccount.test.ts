import { describe, expect, test } from "bun:test";
import { DEVNET_CODES, DevnetFault } from "#api/rpc/index.ts";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_impersonateAccount";

describe(METHOD, () => {
  test("returns an empty object, for named and positional parameters", async () => {
    for (const params of [{ account_address: "0xa11ce" }, ["0xa11ce"]]) {
      const { context, calls } = devnetWorld();
      expect(await askDevnet(METHOD, params, context)).toEqual({ result: {} });
      expect(calls).toEqual([["impersonate", 0xa11cen]]);
    }
  });

  test("reports when there are too many accounts", async () => {
    const { context } = devnetWorld({
      impersonate() {
        throw new DevnetFault("too many", DEVNET_CODES.unsupported);
      },
    });
    expect(await askDevnet(METHOD, ["0x1"], context)).toEqual({
      error: { code: -32600, message: "too many" },
    });
  });

  test("rejects invalid parameters", async () => {
    const { context, calls } = devnetWorld();
    // The last one is 2^251 - 256, the lowest value that is not an address.
    const bound = `0x${((1n << 251n) - 256n).toString(16)}`;
    for (const address of ["a11ce", "0x", 0xa11ce, null, [], `0x${"f".repeat(65)}`, bound]) {
      const path = await refusedPath(METHOD, { account_address: address }, context);
      expect([address, path]).toEqual([address, "account_address"]);
    }
    expect(await refusedPath(METHOD, {}, context)).toBe("account_address");
    expect(await refusedPath(METHOD, { account_address: "0x1", more: 1 }, context)).toBe("more");
    expect(calls).toEqual([]);
  });
});
