import { describe, expect, test } from "bun:test";
import { VARIABLES, type VariableName } from "#app/bootstrap/index.ts";
import { findings, MAINNET_SETTINGS, L1_KEY, L2_KEY } from "#test/helpers/bootstrap-settings.ts";

const names = Object.keys(VARIABLES) as VariableName[];

describe("swapped variables", () => {
  /** Indistinguishable by form; their values are checked against the nodes. */
  const alike: readonly (readonly string[])[] = [
    ["ETH_RPC", "ROLLUP_SEQ_URL"],
    ["ETH_CHAIN_ID", "L1_WAIT_TIME", "CROSS_CHAIN_WAIT_TIME"],
    ["VERIFIER_ADDRESS", "OPERATOR_ADDRESS", "L1_MULTISIG_ADDRESS"],
    // An L2 key and a felt have the same form; L2_DEPLOYER_ADDRESS distinguishes them.
    ["ROLLUP_PRIV_KEY", "FEE_TOKEN_ADDRESS", "L2_MULTISIG_ADDRESS", "SN_OS_PROGRAM_HASH"],
    // A name of letters can be either.
    ["APP_CHAIN_ID", "SN_OS_CONFIG_HASH_VERSION"],
    // Any number can be a chain id.
    ["APP_CHAIN_ID", "ETH_CHAIN_ID"],
  ];
  const given = names.filter((name) => MAINNET_SETTINGS[name] !== undefined);
  for (const [i, first] of given.entries()) {
    test(`${first} and any other are detected, without showing a key`, () => {
      for (const second of given.slice(i + 1)) {
        const found = findings({
          ...MAINNET_SETTINGS,
          [first]: MAINNET_SETTINGS[second],
          [second]: MAINNET_SETTINGS[first],
        });
        const isAlike = alike.some((set) => set.includes(first) && set.includes(second));
        if (isAlike) continue;
        expect([first, second, found.length > 0]).toEqual([first, second, true]);
        expect(found.join("\n")).not.toContain(L1_KEY.slice(2));
        expect(found.join("\n")).not.toContain(L2_KEY.slice(2));
      }
    });
  }

  test("detects a key in the address of a node", () => {
    for (const key of [L1_KEY, L2_KEY]) {
      const found = findings({ ...MAINNET_SETTINGS, ETH_RPC: `http://l1.example/${key}` });
      expect(found).toHaveLength(1);
      expect(found[0]).toContain("ETH_RPC: holds the secret of");
      expect(found[0]).not.toContain(key);
    }
  });
});
