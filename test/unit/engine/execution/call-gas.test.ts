import { expect, test } from "bun:test";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";
import { callGasTable } from "#engine/execution/simulation/call-gas.ts";
import { fakeCall } from "#test/helpers/call-info.ts";

const NEW = BUILT_IN_CONSTANTS.at("0.14.4");
const OLD = BUILT_IN_CONSTANTS.at("0.13.1");

const steps = (count: number) => ({ steps: count, memoryHoles: 0, builtins: {} });

test("callGasTable converts steps to L1 or L2 gas by the bounds of the transaction", () => {
  // Prices of the public constants: 0.0025 L1 gas and 100 L2 gas a step.
  const call = fakeCall({ vmResources: steps(1_000) });
  expect(callGasTable([call], NEW, "l1").get(call)).toEqual({ l1Gas: 3n, l2Gas: 0n });
  expect(callGasTable([call], NEW, "l2").get(call)).toEqual({ l1Gas: 0n, l2Gas: 120_000n });
});

test("callGasTable reports Sierra gas as L2 gas, or as L1 gas at the rate of a step", () => {
  const call = fakeCall({ gasConsumed: 100_001n });
  expect(callGasTable([call], NEW, "l2").get(call)).toEqual({ l1Gas: 0n, l2Gas: 100_001n });
  expect(callGasTable([call], NEW, "l1").get(call)).toEqual({ l1Gas: 3n, l2Gas: 0n });
});

test("callGasTable charges outer calls for inner events, except before 0.13.4", () => {
  const events = [{ order: 0, keys: [1n], data: [2n, 3n] }];
  const inner = fakeCall({ events });
  const outer = fakeCall({ innerCalls: [inner] });
  // A felt of data costs 5120 L2 gas, a key twice that.
  const felts = 4n * 5_120n;
  const table = callGasTable([outer], NEW, "l2");
  expect([table.get(outer)?.l2Gas, table.get(inner)?.l2Gas]).toEqual([felts, felts]);
  const old = callGasTable([outer], { ...NEW, flags: OLD.flags }, "l2");
  expect([old.get(outer)?.l2Gas, old.get(inner)?.l2Gas]).toEqual(
    OLD.flags.ignoreInnerEventResources ? [0n, felts] : [felts, felts],
  );
});

test("callGasTable charges L1 gas for messages in every mode, also to outer calls", () => {
  const inner = fakeCall({ messages: [{ order: 0, toAddress: 1n, payload: [2n, 3n] }] });
  const outer = fakeCall({ innerCalls: [inner] });
  // A new counter, a log with two topics and four words, five words of the segment (core
  // contract).
  const gas = BigInt(20_000 + 375 + 3 * 375 + 4 * 256 + 5 * (512 + 612));
  for (const mode of ["l1", "l2"] as const) {
    const table = callGasTable([outer], NEW, mode);
    expect([table.get(outer)?.l1Gas, table.get(inner)?.l1Gas]).toEqual([gas, gas]);
  }
});
