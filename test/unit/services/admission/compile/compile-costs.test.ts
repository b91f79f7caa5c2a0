import { expect, test } from "bun:test";
import { CompileCosts } from "#services/admission/compile/compile-costs.ts";

const CLASS_BYTES = 16 << 10;

test("estimates seconds for a large class before the first compilation", () => {
  const ms = new CompileCosts().msOf(500_000, 1);
  expect(ms).toBeGreaterThan(1_000);
  expect(ms).toBeLessThan(10_000);
});

test("estimates the time of earlier classes of the same size", () => {
  const costs = new CompileCosts();
  for (let i = 0; i < 50; i++) costs.add(100_000, 700);
  expect(costs.msOf(100_000, 1)).toBeCloseTo(700, 0);
  expect(costs.msOf(200_000, 2)).toBeCloseTo(1_400, 0);
});

test("also counts a class without bytes", () => {
  const costs = new CompileCosts();
  for (let i = 0; i < 50; i++) costs.add(0, 100);
  expect(costs.msOf(0, 10)).toBeCloseTo(1_000, 0);
  expect(costs.msOf(CLASS_BYTES, 0)).toBeCloseTo(100, 0);
});

test("adapts to a slower machine within a few classes", () => {
  const costs = new CompileCosts();
  for (let i = 0; i < 50; i++) costs.add(100_000, 100);
  for (let i = 0; i < 8; i++) costs.add(100_000, 1_000);
  expect(costs.msOf(100_000, 1)).toBeGreaterThan(500);
});
