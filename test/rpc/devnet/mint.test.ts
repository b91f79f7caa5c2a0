import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { DevnetFault } from "#api/rpc/index.ts";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_mint";

/** Amount that a request mints. */
async function amountOf(amount: JsonValue): Promise<unknown> {
  const { context, calls } = devnetWorld();
  await askDevnet(METHOD, { address: "0x5", amount }, context);
  return (calls[0] as readonly unknown[] | undefined)?.[2];
}

describe(METHOD, () => {
  test("returns the new balance, the unit and the transaction", async () => {
    const { context, calls } = devnetWorld();
    const params = { address: "0x5", amount: 500_000, unit: "WEI" };
    expect(await askDevnet(METHOD, params, context)).toEqual({
      result: { new_balance: "0", unit: "WEI", tx_hash: "0x717" },
    });
    expect(calls).toEqual([["mint", 0x5n, 500_000n, "WEI"]]);
  });

  test("mints the native token by default", async () => {
    const { context, calls } = devnetWorld();
    await askDevnet(METHOD, { address: "0x5", amount: 1, unit: null }, context);
    await askDevnet(METHOD, ["0x5", 1], context);
    expect(calls).toEqual([
      ["mint", 0x5n, 1n, "FRI"],
      ["mint", 0x5n, 1n, "FRI"],
    ]);
  });

  // website/docs/balance.md of starknet-devnet: 1000.0, 1e21; 3.9 becomes 3, 1.23e1 becomes 12.
  test("accepts amounts like starknet-devnet", async () => {
    expect(await amountOf(0)).toBe(0n);
    expect(await amountOf(1e21)).toBe(10n ** 21n);
    expect(await amountOf(1e23)).toBe(10n ** 23n);
    expect(await amountOf(3.9)).toBe(3n);
    expect(await amountOf(12.3)).toBe(12n);
    expect(await amountOf("1000.0")).toBe(1000n);
    expect(await amountOf("1.23e1")).toBe(12n);
    expect(await amountOf(1e-7)).toBe(0n);
    expect(await amountOf((1n << 256n) - 1n)).toBe((1n << 256n) - 1n);
  });

  test("rejects invalid parameters", async () => {
    const wrong: readonly JsonValue[] = [
      -1,
      1n << 256n,
      "",
      "1e99",
      "9".repeat(200),
      "1e9999",
      "0x10",
      true,
      {},
      [],
    ];
    for (const amount of wrong) {
      expect([amount, await refusedPath(METHOD, { address: "0x5", amount })]).toEqual([
        amount,
        "amount",
      ]);
    }
    expect(await refusedPath(METHOD, { amount: 1 })).toBe("address");
    expect(await refusedPath(METHOD, { address: "5", amount: 1 })).toBe("address");
    expect(await refusedPath(METHOD, { address: "0x5", amount: 1, unit: "STRK" })).toBe("unit");
  });

  test("reports why nothing was minted", async () => {
    const { context } = devnetWorld({
      mint: () => Promise.resolve({ transactionHash: 0x717n, revertReason: "too much" }),
    });
    expect(await askDevnet(METHOD, { address: "0x5", amount: 1 }, context)).toEqual({
      error: {
        code: -1,
        message: "Minting reverted",
        data: { tx_hash: "0x717", revert_reason: "too much" },
      },
    });
    const refused = devnetWorld({ mint: () => Promise.reject(new DevnetFault("no faucet")) });
    expect(await askDevnet(METHOD, { address: "0x5", amount: 1 }, refused.context)).toEqual({
      error: { code: -1, message: "no faucet" },
    });
  });
});
