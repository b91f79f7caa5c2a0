import { expect, test } from "bun:test";
import { predict, type TransferCosts } from "#test/bench/scale/model.ts";

const COSTS: TransferCosts = {
  main: 0.1,
  admission: 0.5,
  mempool: 0.2,
  validation: 0.4,
  executor: 0.25,
  committer: 0.3,
  hashing: 0.12,
  others: 0.05,
};
const machine = (cores: number, admissionThreads: number, hashThreads: number) => ({
  cores,
  admissionThreads,
  hashThreads,
});

test("on one core all threads share it", () => {
  expect(predict(COSTS, machine(1, 1, 0))?.limit).toBe("cores");
  expect(predict(COSTS, machine(1, 1, 0))?.transfersPerSecond).toBeCloseTo(1000 / 1.2);
});

test("the busiest thread is the limit where there are cores for all", () => {
  expect(predict(COSTS, machine(8, 1, 0))).toEqual({
    transfersPerSecond: 2000,
    limit: "admission",
  });
  expect(predict(COSTS, machine(8, 4, 0))?.limit).toBe("committer");
  expect(predict(COSTS, machine(8, 4, 3))).toEqual({ transfersPerSecond: 4000, limit: "executor" });
});

test("validators share what they do, and the owner of the mempool keeps the rest", () => {
  const slow = { ...COSTS, validation: 2 };
  expect(predict(slow, machine(32, 2, 0))).toEqual({
    transfersPerSecond: 1000,
    limit: "validators",
  });
  expect(predict({ ...COSTS, mempool: 1 }, machine(32, 8, 0))?.limit).toBe("admission");
});

test("help with hashes leaves the committer its share of them", () => {
  const slow = { ...COSTS, committer: 1, hashing: 0.8 };
  expect(predict(slow, machine(32, 4, 3))?.transfersPerSecond).toBeCloseTo(1000 / 0.4);
});

test("what was not measured is not predicted", () => {
  const partly = { ...COSTS, mempool: null, validation: null };
  expect(predict(partly, machine(8, 2, 0))).toBeNull();
  expect(predict(partly, machine(8, 1, 0))?.limit).toBe("admission");
});
