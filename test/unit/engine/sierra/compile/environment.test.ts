import { describe, expect, test } from "bun:test";
import {
  type Environment,
  environmentDifference,
  initialEnvironment,
  trackingAfter,
} from "#engine/sierra/compile/environment.ts";
import { walletAfter } from "#engine/sierra/compile/gas-wallet.ts";
import type { ApTracking } from "#engine/sierra/libfunc/invocation-builder.ts";

const START = initialEnvironment(new Map([["Const", 100]]));
const ENABLED: ApTracking = { kind: "enabled", base: 5, cells: 2 };

/** Environments that all differ. */
const DIFFERENT: Readonly<Record<string, Environment>> = {
  start: START,
  "no gas": initialEnvironment(new Map()),
  "gas not checked": initialEnvironment(undefined),
  "another token": initialEnvironment(
    new Map([
      ["Const", 100],
      ["Bitwise", 1],
    ]),
  ),
  "ap not tracked": { ...START, apTracking: { kind: "disabled" } },
  "ap tracked from a statement": { ...START, apTracking: ENABLED },
  "ap tracked from a different statement": { ...START, apTracking: { ...ENABLED, base: 6 } },
  "ap advanced": { ...START, apTracking: { ...ENABLED, cells: 3 } },
  "a local": { ...START, frame: { kind: "allocating", allocated: 1, first: 0 } },
  "two locals": { ...START, frame: { kind: "allocating", allocated: 2, first: 0 } },
  "a local at another offset": { ...START, frame: { kind: "allocating", allocated: 1, first: 1 } },
  "no locals": { ...START, frame: { kind: "finalized", allocated: 0 } },
  "a finalized local": { ...START, frame: { kind: "finalized", allocated: 1 } },
};

describe("environmentDifference is undefined only for equal environments", () => {
  const entries = Object.entries(DIFFERENT);
  for (const [name, environment] of entries) {
    test(name, () => {
      expect(environmentDifference(environment, structuredClone(environment))).toBeUndefined();
      for (const [other, different] of entries) {
        if (other === name) continue;
        expect(environmentDifference(environment, different)).toBeString();
      }
    });
  }

  test("ignores the stack and tokens of amount zero", () => {
    expect(environmentDifference(START, { ...START, stackSize: 3 })).toBeUndefined();
    const empty = initialEnvironment(new Map([["Pedersen", 0]]));
    expect(environmentDifference(empty, initialEnvironment(new Map()))).toBeUndefined();
  });
});

test("a function starts with an empty stack and no locals", () => {
  expect(START).toMatchObject({ stackSize: 0, frame: { kind: "before" } });
  expect(START.apTracking).toEqual({ kind: "enabled", base: undefined, cells: 0 });
});

test("trackingAfter counts cells and disables tracking after an unknown change", () => {
  expect(trackingAfter(ENABLED, 4)).toEqual({ kind: "enabled", base: 5, cells: 6 });
  expect(trackingAfter(ENABLED, undefined)).toEqual({ kind: "disabled" });
  expect(trackingAfter({ kind: "disabled" }, 4)).toEqual({ kind: "disabled" });
});

test("walletAfter spends down to zero, adds negative costs and leaves its input unchanged", () => {
  const wallet = new Map([["Const", 100] as const]);
  const left = walletAfter(wallet, new Map([["Const", 100] as const, ["Bitwise", -2] as const]));
  expect(left).toEqual(new Map([["Const", 0] as const, ["Bitwise", 2] as const]));
  expect(wallet.get("Const")).toBe(100);
  expect(() => walletAfter(wallet, new Map([["Const", 101]]))).toThrow("1 of Const are missing");
  expect(() => walletAfter(wallet, new Map([["Poseidon", 2]]))).toThrow("2 of Poseidon are");
});
