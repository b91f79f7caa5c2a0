import { expect, test } from "bun:test";
import { createMethodTables, DEFAULT_RESTRICTED_METHODS, withDevnet } from "#api/rpc/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { restrictedMethods } from "#app/node/query/rpc/restricted-methods.ts";

const [newest] = createMethodTables();
const table = withDevnet(newest);

test("accepts names of served methods, including all defaults of starknet-devnet", () => {
  const names = ["devnet_mint", "starknet_call", "pathfinder_getProof"];
  for (const served of [names, DEFAULT_RESTRICTED_METHODS]) {
    expect(restrictedMethods(served, table)).toEqual(served);
  }
});

test("rejects an unknown name and suggests a similar one", () => {
  const refused = (): unknown => restrictedMethods(["devnet_mint", "devnet_Mint"], table);
  expect(refused).toThrow(ConfigError);
  expect(refused).toThrow(
    expect.objectContaining({
      issues: [
        {
          path: "--restrictive-mode",
          line: 0,
          message: "there is no method devnet_Mint; did you mean devnet_mint?",
        },
      ],
    }),
  );
});
