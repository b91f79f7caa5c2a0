import { describe, expect, test } from "bun:test";
import { feltFromShortString } from "#base/primitives/index.ts";
import type { AccountTransaction, DeclareV3, ResourceBounds } from "#protocol/chain/index.ts";
import { statelessRefusal } from "#services/admission/admission-rules.ts";
import {
  areFree,
  countBootstrapDeclares,
  isFree,
  isFreeBootstrapDeclare,
  MAX_BOOTSTRAP_DECLARES,
} from "#services/admission/free-transactions.ts";
import { emptyDeclare, emptyDeployAccount, emptyInvoke } from "#test/helpers/mempool-world.ts";

const NONE = { maxAmount: 0n, maxPricePerUnit: 0n };
const AMOUNT = { maxAmount: 9n, maxPricePerUnit: 0n };
const PRICED = { maxAmount: 0n, maxPricePerUnit: 1n };
const FREE: ResourceBounds = { l1Gas: AMOUNT, l2Gas: AMOUNT, l1DataGas: AMOUNT };

const invoke = (resourceBounds: ResourceBounds, tip = 0n) => ({
  ...emptyInvoke(1n, 0n, tip),
  resourceBounds,
});
const BOOTSTRAP: DeclareV3 = {
  ...emptyDeclare(feltFromShortString("BOOTSTRAP"), 0n),
  resourceBounds: { l1Gas: NONE, l2Gas: NONE, l1DataGas: NONE },
};

describe("free transactions have gas and only zero prices", () => {
  const cases: readonly (readonly [string, AccountTransaction, boolean])[] = [
    ["an invoke", invoke(FREE), true],
    ["a deployment", { ...emptyDeployAccount(1n), resourceBounds: FREE }, true],
    ["a declaration", { ...emptyDeclare(1n, 0n), resourceBounds: FREE }, true],
    ["bounds of L1 gas alone", invoke({ l1Gas: AMOUNT, l2Gas: NONE, l1DataGas: null }), true],
    ["L2 gas alone", invoke({ l1Gas: NONE, l2Gas: AMOUNT, l1DataGas: NONE }), true],
    ["all amounts 0", invoke({ l1Gas: NONE, l2Gas: NONE, l1DataGas: NONE }), false],
    ["no L2 gas for execution", invoke({ ...FREE, l2Gas: NONE }), false],
    ["no L1 gas, and no other", invoke({ l1Gas: NONE, l2Gas: NONE, l1DataGas: null }), false],
    ["a price of L1 gas", invoke({ ...FREE, l1Gas: PRICED }), false],
    ["a price of L2 gas", invoke({ ...FREE, l2Gas: { ...AMOUNT, maxPricePerUnit: 1n } }), false],
    ["a price of data gas with amount 0", invoke({ ...FREE, l1DataGas: PRICED }), false],
    ["a tip", invoke(FREE, 1n), false],
    ["an unsigned bootstrap declaration, whatever its amounts", BOOTSTRAP, true],
    ["one with another nonce", { ...BOOTSTRAP, nonce: 1n }, false],
    ["one with a price", { ...BOOTSTRAP, resourceBounds: { ...FREE, l1Gas: PRICED } }, false],
  ];
  for (const [name, transaction, expected] of cases) {
    test(name, () => expect(isFree(transaction)).toBe(expected));
  }

  test("an older transaction with a maximum fee of 0 is not free", () => {
    const old = { ...emptyInvoke(1n, 0n), version: 1, maxFee: 0n } as unknown as AccountTransaction;
    expect(isFree(old)).toBe(false);
    const limits = { maxCalldataLength: 9, chargeFees: true, takesFree: true };
    expect(statelessRefusal(old, { ...limits, maxFeeTransactions: true })?.code).toBe(
      "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
    );
  });
});

test("stateless checks accept free transactions only where they are allowed", () => {
  const limits = { maxCalldataLength: 9, chargeFees: true, maxFeeTransactions: false };
  const noGas = invoke({ l1Gas: NONE, l2Gas: NONE, l1DataGas: NONE });
  expect(statelessRefusal(invoke(FREE), { ...limits, takesFree: true })).toBeUndefined();
  expect(statelessRefusal(BOOTSTRAP, { ...limits, takesFree: true })).toBeUndefined();
  for (const [transaction, takesFree] of [
    [invoke(FREE), false],
    [BOOTSTRAP, false],
    [noGas, true],
    [invoke({ ...FREE, l1Gas: PRICED }), true],
  ] as const) {
    const refusal = statelessRefusal(transaction, { ...limits, takesFree });
    expect(refusal?.code).toBe("INSUFFICIENT_RESOURCES_FOR_VALIDATE");
  }
});

test("transactions are free while the native fee token has no contract, if the policy allows it", () => {
  const rules = { policy: "untilToken", nativeFeeToken: 7n } as const;
  const before = { classHashAt: () => 0n };
  const after = { classHashAt: (address: bigint) => (address === 7n ? 1n : 0n) };
  expect(areFree(rules, before)).toBe(true);
  expect(areFree(rules, after)).toBe(false);
  expect(areFree({ ...rules, nativeFeeToken: 8n }, after)).toBe(true);
  expect(areFree({ ...rules, policy: "never" }, before)).toBe(false);
});

test("unsigned bootstrap declarations are counted in declaring blocks, up to the limit", () => {
  const others = [emptyDeclare(2n, 0n), invoke(FREE), { ...BOOTSTRAP, nonce: 1n }];
  const asked: number[] = [];
  const chainOf = (counts: readonly number[]) => ({
    declaringBlocks: () => counts.map((_, number) => number),
    transactions(number: number) {
      asked.push(number);
      const declares = Array.from({ length: counts[number] ?? 0 }, () => BOOTSTRAP);
      return [...others, ...declares].map((transaction, i) => ({ hash: BigInt(i), transaction }));
    },
  });
  expect(countBootstrapDeclares(chainOf([]))).toBe(0);
  expect(countBootstrapDeclares(chainOf([0, 3, 0, 60]))).toBe(63);
  asked.length = 0;
  expect(countBootstrapDeclares(chainOf([MAX_BOOTSTRAP_DECLARES, 1, 1]))).toBe(64);
  expect(asked).toEqual([0]);
  expect(isFreeBootstrapDeclare(BOOTSTRAP)).toBe(true);
});
