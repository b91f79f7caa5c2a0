import { describe, expect, test } from "bun:test";
import { hash } from "starknet";
import { rawCall, resultOf } from "#test/helpers/binary.ts";
import { otherClass, otherClassHash } from "#test/helpers/other-class.ts";
import { sentPackedClass } from "#test/helpers/packed-class.ts";
import { ETH, STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();
const shared = useChain();

const APPLY = "devnet_applyStateDiff";
const BALANCE = "devnet_setErc20Balance";
const NEW = "0x1234567";

describe("a state diff", () => {
  test("declares, deploys and sets everything in one block, which survives a restart", async () => {
    const chain = await start();
    const classHash = otherClassHash("erc20");
    const state_diff = {
      deployed_contracts: [{ address: NEW, class_hash: classHash }],
      storage_diffs: [{ address: NEW, storage_entries: [{ key: "0x20", value: "0xabc" }] }],
      nonces: [{ contract_address: NEW, nonce: "0x7" }],
    };
    const classes = [{ contract_class: otherClass("erc20") }];
    const answer = await resultOf<{ readonly classes: readonly Record<string, string>[] }>(
      chain,
      APPLY,
      { state_diff, classes },
    );
    expect(answer.classes.map(({ class_hash }) => class_hash)).toEqual([classHash]);
    const read = async () => ({
      block: await resultOf(chain, "starknet_getBlockWithTxHashes", ["latest"]),
      class: await resultOf(chain, "starknet_getClassHashAt", ["latest", NEW]),
      declared: await resultOf(chain, "starknet_getClass", ["latest", classHash]),
      storage: await resultOf(chain, "starknet_getStorageAt", [NEW, "0x20", "latest"]),
      nonce: await resultOf(chain, "starknet_getNonce", ["latest", NEW]),
      update: await resultOf(chain, "starknet_getStateUpdate", ["latest"]),
    });
    const before = await read();
    expect(before).toMatchObject({
      block: { block_number: 1, transactions: [] },
      class: classHash,
      storage: "0xabc",
      nonce: "0x7",
      update: {
        state_diff: {
          declared_classes: answer.classes,
          deployed_contracts: [{ address: NEW, class_hash: classHash }],
        },
      },
    });
    await chain.stop();
    await chain.start();
    expect(await read()).toEqual(before);
    const entry_point_selector = hash.getSelectorFromName("total_supply");
    const request = { contract_address: NEW, entry_point_selector, calldata: [] };
    expect(await resultOf(chain, "starknet_call", [request, "latest"])).toEqual(["0x0", "0x0"]);
    await chain.account(0).execute(transferCall("0x77", 5n));
    expect(await strkBalance(chain.provider, "0x77")).toBe(5n);
  }, 60_000);

  test("with one wrong value changes nothing", async () => {
    const latest = () => resultOf<number>(shared, "starknet_blockNumber");
    const before = await latest();
    const good = { contract_address: STRK, nonce: "0x9" };
    const cases = [
      [{ state_diff: { nonces: [good, { ...good, contract_address: NEW }] } }, 20],
      [
        {
          state_diff: {
            nonces: [good],
            replaced_classes: [{ contract_address: STRK, class_hash: "0x1" }],
          },
        },
        28,
      ],
      [
        {
          state_diff: { nonces: [good] },
          classes: [{ contract_class: sentPackedClass({ felts: 2, hints: { 1: "print(1)" } }) }],
        },
        50,
      ],
      [
        {
          state_diff: { nonces: [good] },
          classes: [{ contract_class: otherClass("erc20"), class_hash: "0x1" }],
        },
        -32602,
      ],
    ] as const;
    for (const [params, code] of cases) {
      const { error } = await rawCall(shared.url, APPLY, params);
      expect(error).toMatchObject({ code });
    }
    expect(await latest()).toBe(before);
    expect(await resultOf(shared, "starknet_getNonce", ["pre_confirmed", STRK])).toBe("0x0");
  }, 60_000);
});

test("an ERC-20 balance is set in any token, spent, and set again", async () => {
  const amount = (7n << 128n) + 3n;
  const { address } = shared.accounts[1] ?? { address: "" };
  for (const token of [STRK, ETH]) {
    const params = { token, account: address, amount: String(amount) };
    expect(await resultOf(shared, BALANCE, params)).toEqual({ new_balance: String(amount) });
  }
  expect(await strkBalance(shared.provider, address)).toBe(amount);
  await resultOf(shared, BALANCE, { token: STRK, account: "0x99", amount: 4 });
  expect(await strkBalance(shared.provider, "0x99")).toBe(4n);
  await shared.account(1).execute(transferCall("0x99", 6n));
  expect(await strkBalance(shared.provider, "0x99")).toBe(10n);
  await resultOf(shared, BALANCE, { token: STRK, account: "0x99", amount: 0 });
  expect(await strkBalance(shared.provider, "0x99")).toBe(0n);
}, 60_000);

test("a balance in a contract that is no token is refused with what was tried", async () => {
  const { address } = shared.accounts[0] ?? { address: "" };
  const { error } = await rawCall(shared.url, BALANCE, [address, "0x99", 1]);
  expect(error).toMatchObject({
    code: -1,
    message: expect.stringContaining("balance_of is missing; balanceOf is missing") as string,
  });
});
