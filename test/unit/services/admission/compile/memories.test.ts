import { expect, test } from "bun:test";
import { RecentlyCompiled } from "#services/admission/compile/compiled-classes.ts";
import { Exhausters } from "#services/admission/compile/exhausters.ts";
import type { Refusal } from "#services/admission/compile/refusals.ts";
import { Refusals } from "#services/admission/compile/refusals.ts";

const refusal: Refusal = { kind: "refused", code: "COMPILATION_FAILED", reason: "why" };
const compiledOf = (length: number) => ({
  casmJson: "x".repeat(length),
  bytecodeLength: 1,
  hashes: { poseidon: 1n, blake: 2n },
});

test("4096 refusals are remembered, and the least recently used one is forgotten first", () => {
  const refusals = new Refusals(() => 0);
  for (let i = 0n; i < 4096n; i++) refusals.add(i, refusal, Infinity);
  expect(refusals.get(0n)).toBe(refusal);
  refusals.add(5000n, refusal, Infinity);
  expect([refusals.get(0n), refusals.get(1n)]).toEqual([refusal, undefined]);
});

test("a refusal is forgotten when its time is over", () => {
  let nowMs = 5;
  const refusals = new Refusals(() => nowMs);
  refusals.add(1n, refusal, 10);
  nowMs = 14;
  expect(refusals.get(1n)).toBe(refusal);
  nowMs = 15;
  expect(refusals.get(1n)).toBeUndefined();
});

test("compiled classes are kept up to a total length, least recently used dropped first", () => {
  const store = new RecentlyCompiled(10);
  store.put(1n, compiledOf(4));
  store.put(2n, compiledOf(4));
  store.get(1n);
  store.put(3n, compiledOf(4));
  expect([1n, 2n, 3n].map((hash) => store.get(hash) !== undefined)).toEqual([true, false, true]);
});

test("a class stored twice counts once, and one above the limit is not kept", () => {
  const store = new RecentlyCompiled(10);
  for (let i = 0; i < 5; i++) store.put(1n, compiledOf(6));
  store.put(2n, compiledOf(4));
  expect(store.get(1n)).toBeDefined();
  store.put(3n, compiledOf(11));
  expect([store.get(2n), store.get(3n)]).toEqual([undefined, undefined]);
});

test("4096 senders are remembered for their time, and the oldest is forgotten first", () => {
  let nowMs = 5;
  const exhausters = new Exhausters(() => nowMs, 10);
  for (let i = 0n; i < 4096n; i++) exhausters.add(i);
  exhausters.add(0n);
  exhausters.add(5000n);
  expect([0n, 1n, 2n, 5000n].map((sender) => exhausters.has(sender))).toEqual([
    true,
    false,
    true,
    true,
  ]);
  nowMs = 14;
  expect(exhausters.has(0n)).toBe(true);
  nowMs = 15;
  expect(exhausters.has(0n)).toBe(false);
});
