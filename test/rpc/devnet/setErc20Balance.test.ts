import { expect, test } from "bun:test";
import { DevnetFault } from "#api/rpc/index.ts";
import { askDevnet, devnetWorld, refusedPath } from "#test/helpers/devnet.ts";

const METHOD = "devnet_setErc20Balance";

test("devnet_setErc20Balance sets the balance of any account in any token", async () => {
  const { context, calls } = devnetWorld();
  const params = { token: "0x70c", account: "0xacc", amount: 1e21 };
  expect(await askDevnet(METHOD, params, context)).toEqual({
    result: { new_balance: "1000000000000000000000" },
  });
  await askDevnet(METHOD, ["0x70c", "0xacc", "0"], context);
  const account = { token: 0x70cn, account: 0xaccn };
  expect(calls).toEqual([
    ["setBalance", { ...account, amount: 10n ** 21n }],
    ["setBalance", { ...account, amount: 0n }],
  ]);
});

test("devnet_setErc20Balance returns why no balance can be set", async () => {
  const reason = "token 0x70c is no contract";
  const { context } = devnetWorld({ setBalance: () => Promise.reject(new DevnetFault(reason)) });
  expect(await askDevnet(METHOD, ["0x70c", "0xacc", 1], context)).toMatchObject({
    error: { code: -1, message: reason },
  });
});

test("devnet_setErc20Balance rejects invalid parameters", async () => {
  const good = { token: "0x70c", account: "0xacc", amount: 1 };
  const tooLarge = `0x${"f".repeat(64)}`;
  for (const [name, value] of [
    ["token", tooLarge],
    ["account", tooLarge],
    ["account", 5],
    ["amount", -1],
    ["amount", "0x10"],
    ["amount", String(1n << 256n)],
  ] as const) {
    expect(await refusedPath(METHOD, { ...good, [name]: value })).toBe(name);
  }
});
