import { describe, expect, test } from "bun:test";
import type { Receipt, Transaction } from "#protocol/chain/index.ts";
import type { GasVector } from "#protocol/versions/index.ts";
import { checkCharges } from "#services/sync/verify/check-charges.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { EVERY_TRANSACTION, INVOKE_V3 } from "#test/helpers/sample-chain.ts";

const gasOf = (l1Gas: bigint, l1DataGas: bigint, l2Gas: bigint): GasVector => ({
  ...{ l1Gas, l1DataGas, l2Gas },
});

/** Prices of block 4072139 of Sepolia, of protocol version 0.14.1. */
const HEADER = {
  number: 7,
  protocolVersion: "0.14.1",
  l1DaMode: "BLOB",
  gasPrices: {
    l1Gas: { wei: 0x621968d7n, fri: 0x2e39b22cf291n },
    l1DataGas: { wei: 0x1005d948bn, fri: 0x78cd54b96e64n },
    l2Gas: { wei: 0x3f3f0n, fri: 0x1dcd65000n },
  },
} as const;
type Header = Parameters<typeof checkCharges>[0];

const bound = (maxAmount: bigint) => ({ maxAmount, maxPricePerUnit: 1n << 100n });

/** An invoke like those of that block: all bounds, and a tip of 10^8. */
const TIPPED = {
  ...INVOKE_V3,
  tip: 0x5f5e100n,
  resourceBounds: { l1Gas: bound(70_000n), l2Gas: bound(1n << 40n), l1DataGas: bound(10_000n) },
} satisfies Transaction;

/** Gas and fee of its first receipt. */
const GAS = gasOf(0n, 256n, 1_319_265n);
const FEE = 0x9ec43bcf1df500n;
const DA_GAS = gasOf(0n, 256n, 0n);

function check(
  receipt: Partial<Receipt>,
  transaction: Transaction = TIPPED,
  header: Partial<Header> = {},
): string | undefined {
  const charged = { actualFee: FEE, gas: GAS, daGas: DA_GAS };
  const whole = fakeReceipt({ ...charged, ...receipt, transactionHash: 1n });
  const checked = { ...HEADER, ...header };
  return checkCharges(checked, [{ hash: 1n, transaction }], [whole])?.message;
}

describe("L2 gas of a receipt", () => {
  test("equals the gas that the fee pays for, with the tip, as in a block of Sepolia", () => {
    expect(check({})).toBeUndefined();
  });

  test.each([1_319_264n, 1_319_266n, 0n, 2_638_530n])("is refused when it is %p", (l2Gas) => {
    const found = check({ gas: { ...GAS, l2Gas } });
    expect(found).toBe(
      `total_gas_consumed.l2_gas of receipt 0: expected 1319265, which the fee pays for, found ${l2Gas}`,
    );
  });

  test("excludes the tip before 0.14.0", () => {
    const fee = 256n * HEADER.gasPrices.l1DataGas.fri + 1_000n * HEADER.gasPrices.l2Gas.fri;
    const charged = { actualFee: fee, gas: gasOf(0n, 256n, 1_000n) };
    expect(check(charged, TIPPED, { protocolVersion: "0.13.6" })).toBeUndefined();
    expect(check({}, TIPPED, { protocolVersion: "0.13.6" })).toContain("l2_gas");
    expect(check(charged)).toContain("l2_gas");
  });

  const bounds = { ...TIPPED.resourceBounds, l1DataGas: null };
  const inL1Gas = EVERY_TRANSACTION.filter(
    ({ type, version }) => version !== 3 && type !== "L1_HANDLER" && type !== "DEPLOY",
  );
  for (const transaction of [...inL1Gas, { ...TIPPED, resourceBounds: bounds }]) {
    test(`is 0 for ${transaction.type} ${transaction.version} without a bound on it`, () => {
      expect(check({ gas: gasOf(5n, 256n, 0n) }, transaction)).toBeUndefined();
      expect(check({ gas: gasOf(5n, 256n, 1n) }, transaction)).toBe(
        "total_gas_consumed.l2_gas of receipt 0: expected 0, found 1",
      );
    });
  }

  const reverted = (reason: string) => ({ status: { kind: "reverted", reason } as const });

  test("of a revert equals the gas paid for, or exceeds its bound if the fee is the maximum", () => {
    const failed = reverted("Error in contract");
    expect(check(failed)).toBeUndefined();
    expect(check({ ...failed, gas: { ...GAS, l2Gas: 1n } })).toContain("l2_gas");
    const tight = {
      ...TIPPED,
      resourceBounds: { ...TIPPED.resourceBounds, l2Gas: bound(1_319_265n) },
    };
    const more = { gas: { ...GAS, l2Gas: 1_400_000n } };
    expect(check({ ...failed, ...more }, tight)).toBeUndefined();
    expect(check(more, tight)).toContain("l2_gas");
  });

  const other = { gas: { ...GAS, l2Gas: 1n } };
  test.each([
    ["a revert for too much gas", check({ ...other, ...reverted("Insufficient max L2Gas: max") })],
    [
      "a revert for too little balance",
      check({ ...other, ...reverted("Insufficient fee token balance. Fee: 1") }),
    ],
    ["a transaction that paid nothing", check({ ...other, actualFee: 0n })],
    ["a block before 0.13.4", check(other, TIPPED, { protocolVersion: "0.13.3" })],
    ["a version that is not built in", check(other, TIPPED, { protocolVersion: "0.99.0" })],
    ...EVERY_TRANSACTION.filter(({ type }) => type === "L1_HANDLER").map(
      (handler) => ["a message from L1", check(other, handler)] as const,
    ),
  ])("is not checked for %s", (_, found) => {
    expect(found).toBeUndefined();
  });
});

describe("data availability gas", () => {
  const whole = gasOf(600n, 256n, 0n);
  const legacy = EVERY_TRANSACTION[1] ?? INVOKE_V3;
  const inBlobs = (daGas: GasVector) => check({ gas: whole, daGas }, legacy);
  const inCalldata = (daGas: GasVector) =>
    check({ gas: whole, daGas }, legacy, { l1DaMode: "CALLDATA" });

  test.each([
    ["all data gas, in blobs", inBlobs(gasOf(0n, 256n, 0n)), undefined],
    ["less than that", inBlobs(gasOf(0n, 128n, 0n)), undefined],
    ["more than that", inBlobs(gasOf(0n, 257n, 0n)), "l1_data_gas"],
    ["L1 gas, in blobs", inBlobs(gasOf(1n, 128n, 0n)), "l1_gas"],
    ["L2 gas", inBlobs(gasOf(0n, 128n, 1n)), "l2_gas"],
    ["L1 gas, in calldata", inCalldata(gasOf(600n, 0n, 0n)), undefined],
    ["more than all L1 gas", inCalldata(gasOf(601n, 0n, 0n)), "l1_gas"],
    ["data gas, in calldata", inCalldata(gasOf(0n, 1n, 0n)), "l1_data_gas"],
  ])("that is %s", (_, found, name) => {
    expect(found?.split(" ")[0]).toBe(name && `data_availability.${name}`);
  });
});
