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

/** Environments of which no two are the same. */
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
  "ap tracked from another statement": { ...START, apTracking: { ...ENABLED, base: 6 } },
  "ap further on": { ...START, apTracking: { ...ENABLED, cells: 3 } },
  "a local": { ...START, frame: { kind: "allocating", allocated: 1, first: 0 } },
  "two locals": { ...START, frame: { kind: "allocating", allocated: 2, first: 0 } },
  "a local elsewhere": { ...START, frame: { kind: "allocating", allocated: 1, first: 1 } },
  "no locals": { ...START, frame: { kind: "finalized", allocated: 0 } },
  "a finalized local": { ...START, frame: { kind: "finalized", allocated: 1 } },
};

describe("two ways to a statement are the same only in the same environment", () => {
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

  test("the stack is not compared, nor tokens of which nothing is left", () => {
    expect(environmentDifference(START, { ...START, stackSize: 3 })).toBeUndefined();
    const empty = initialEnvironment(new Map([["Pedersen", 0]]));
    expect(environmentDifference(empty, initialEnvironment(new Map()))).toBeUndefined();
  });
});

test("nothing is on the stack when a function begins, and no locals are", () => {
  expect(START).toMatchObject({ stackSize: 0, frame: { kind: "before" } });
  expect(START.apTracking).toEqual({ kind: "enabled", base: undefined, cells: 0 });
});

test("tracking counts cells, and ends with a change that is unknown", () => {
  expect(trackingAfter(ENABLED, 4)).toEqual({ kind: "enabled", base: 5, cells: 6 });
  expect(trackingAfter(ENABLED, undefined)).toEqual({ kind: "disabled" });
  expect(trackingAfter({ kind: "disabled" }, 4)).toEqual({ kind: "disabled" });
});

test("a wallet is used up to nothing, filled by negative costs, and left as it was", () => {
  const wallet = new Map([["Const", 100] as const]);
  const left = walletAfter(wallet, new Map([["Const", 100] as const, ["Bitwise", -2] as const]));
  expect(left).toEqual(new Map([["Const", 0] as const, ["Bitwise", 2] as const]));
  expect(wallet.get("Const")).toBe(100);
  expect(() => walletAfter(wallet, new Map([["Const", 101]]))).toThrow("1 of Const are missing");
  expect(() => walletAfter(wallet, new Map([["Poseidon", 2]]))).toThrow("2 of Poseidon are");
});
