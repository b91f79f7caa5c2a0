import { describe, expect, test } from "bun:test";
import { balanceHighKey, balanceKey } from "#engine/execution/index.ts";
import { askDevnet, devnetWorld, refusedPath, TOKENS } from "#test/helpers/devnet.ts";
import { CONTRACT } from "#test/helpers/sample-chain.ts";

const METHOD = "devnet_getPredeployedAccounts";
const ADDRESS = `0x${CONTRACT.toString(16)}`;

/** World where every account holds 2^128 + 5 of each token. */
function funded() {
  const { context } = devnetWorld();
  const stateAt: typeof context.chain.stateAt = (number) => {
    const state = context.chain.stateAt(number);
    return new Proxy(state, {
      get(target, name, receiver) {
        if (name !== "storageAt") return Reflect.get(target, name, receiver);
        return (token: bigint, key: bigint) => {
          if (token !== TOKENS.FRI && token !== TOKENS.WEI) return 0n;
          return key === balanceKey(CONTRACT) ? 5n : key === balanceHighKey(CONTRACT) ? 1n : 0n;
        };
      },
    });
  };
  return { ...context, chain: { ...context.chain, stateAt }, pending: () => undefined };
}

const AMOUNT = String((1n << 128n) + 5n);

describe(METHOD, () => {
  test("returns the address, keys and balance of block 0", async () => {
    const account = {
      initial_balance: AMOUNT,
      address: ADDRESS,
      public_key: "0xab",
      private_key: "0xcd",
      balance: null,
    };
    for (const params of [{}, [], { with_balance: false }, { with_balance: null }]) {
      expect(await askDevnet(METHOD, params, funded())).toEqual({ result: [account] });
    }
  });

  test("returns the current balance if the state of block 0 has been pruned", async () => {
    const { chain, ...context } = funded();
    const reads: number[] = [];
    const pruned = {
      ...chain,
      oldestStateBlock: () => 1,
      stateAt: (number: number) => {
        reads.push(number);
        return chain.stateAt(number);
      },
    };
    for (const method of [METHOD, "dev_predeployedAccounts"]) {
      const answer = await askDevnet(method, {}, { ...context, chain: pruned });
      expect(answer).toMatchObject({ result: [{ address: ADDRESS }] });
    }
    expect(reads).not.toContain(0);
  });

  test("returns the current balances on request", async () => {
    const answer = await askDevnet(METHOD, { with_balance: true }, funded());
    expect(answer).toMatchObject({
      result: [
        {
          balance: { eth: { amount: AMOUNT, unit: "WEI" }, strk: { amount: AMOUNT, unit: "FRI" } },
        },
      ],
    });
  });

  test("rejects invalid parameters", async () => {
    expect(await refusedPath(METHOD, { with_balance: "yes" })).toBe("with_balance");
    expect(await refusedPath(METHOD, { other: 1 })).toBe("other");
  });
});
