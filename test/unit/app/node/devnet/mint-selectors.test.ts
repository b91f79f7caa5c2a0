import { describe, expect, test } from "bun:test";
import { selectorFromName } from "#protocol/crypto/index.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import { MintSelectors } from "#app/node/devnet/mint-selectors.ts";

const TOKEN = 0x57n;

/** A class whose external functions have these names. */
function classOf(kind: "sierra" | "legacy", names: readonly string[]): ExecutableClass {
  const EXTERNAL = names.map((name) => ({ selector: selectorFromName(name) }));
  const code = { entryPoints: { EXTERNAL } };
  const parts = kind === "sierra" ? { casm: code } : { casm: null, program: code };
  return parts as unknown as ExecutableClass;
}

/** A state in which the token has this class; counts how often code is read. */
function stateOf(executable: ExecutableClass | undefined) {
  const state = {
    reads: 0,
    classHashAt: () => 0xc1a55n,
    executableClass() {
      state.reads++;
      return executable;
    },
  };
  return state;
}

describe("the mint selector", () => {
  test.each([
    ["sierra", ["transfer", "permissionedMint", "permissioned_mint"], "permissioned_mint"],
    ["sierra", ["mint", "permissionedMint"], "permissionedMint"],
    ["legacy", ["transfer", "permissionedMint"], "permissionedMint"],
    ["legacy", ["transfer", "mint"], "mint"],
    ["sierra", ["transfer"], "permissioned_mint"],
  ] as const)("of a %s class with %j is %s", (kind, names, expected) => {
    const selector = new MintSelectors().of(TOKEN, stateOf(classOf(kind, names)));
    expect(selector).toBe(selectorFromName(expected));
  });

  test("of a class missing from the state is the shipped token's", () => {
    expect(new MintSelectors().of(TOKEN, stateOf(undefined))).toBe(
      selectorFromName("permissioned_mint"),
    );
  });

  test("is looked up once per class", () => {
    const selectors = new MintSelectors();
    const state = stateOf(classOf("sierra", ["mint"]));
    for (let round = 0; round < 3; round++) selectors.of(TOKEN, state);
    expect(state.reads).toBe(1);
    const other = { ...stateOf(classOf("sierra", ["permissionedMint"])), classHashAt: () => 0x2n };
    expect(selectors.of(TOKEN, other)).toBe(selectorFromName("permissionedMint"));
  });
});
