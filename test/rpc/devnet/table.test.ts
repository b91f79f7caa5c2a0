import { expect, test } from "bun:test";
import { createMethodTables, DEVNET_METHODS, withDevnet } from "#api/rpc/index.ts";
import { errorOf } from "#test/helpers/rpc.ts";
import { askDevnet, devnetWorld } from "#test/helpers/devnet.ts";

test("devnet methods are in the table of every version only with `withDevnet`", () => {
  for (const table of createMethodTables()) {
    for (const { name } of DEVNET_METHODS) {
      expect(table.find(name)).toBeUndefined();
      expect(withDevnet(table).find(name)?.name).toBe(name);
    }
    expect(withDevnet(table).find("starknet_chainId")?.name).toBe("chainId");
  }
});

test("devnet methods are not found on other chains", async () => {
  const { context } = devnetWorld();
  expect((await errorOf("devnet_mint", [], context)).code).toBe(-32601);
});

test("unsupported devnet methods are not found, and a wrong case gets a suggestion", async () => {
  for (const method of ["devnet_forkStatus", "starknet_devnet_mint"]) {
    expect(await askDevnet(method, [])).toMatchObject({ error: { code: -32601 } });
  }
  expect(await askDevnet("devnet_createblock", [])).toMatchObject({
    error: { data: expect.stringContaining('did you mean "devnet_createBlock"?') },
  });
});
