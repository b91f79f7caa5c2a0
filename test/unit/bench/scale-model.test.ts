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

test("predict shares a single core among all threads", () => {
  expect(predict(COSTS, machine(1, 1, 0))?.limit).toBe("cores");
  expect(predict(COSTS, machine(1, 1, 0))?.transfersPerSecond).toBeCloseTo(1000 / 1.2);
});

test("predict is limited by the busiest thread with enough cores", () => {
  expect(predict(COSTS, machine(8, 1, 0))).toEqual({
    transfersPerSecond: 2000,
    limit: "admission",
  });
  expect(predict(COSTS, machine(8, 4, 0))?.limit).toBe("committer");
  expect(predict(COSTS, machine(8, 4, 3))).toEqual({ transfersPerSecond: 4000, limit: "executor" });
});

test("predict divides work among validators, except that of the mempool's owner", () => {
  const slow = { ...COSTS, validation: 2 };
  expect(predict(slow, machine(32, 2, 0))).toEqual({
    transfersPerSecond: 1000,
    limit: "validators",
  });
  expect(predict({ ...COSTS, mempool: 1 }, machine(32, 8, 0))?.limit).toBe("admission");
});

test("predict leaves the committer a share of the hashes even with helpers", () => {
  const slow = { ...COSTS, committer: 1, hashing: 0.8 };
  expect(predict(slow, machine(32, 4, 3))?.transfersPerSecond).toBeCloseTo(1000 / 0.4);
});

test("predict returns null without measurements", () => {
  const partly = { ...COSTS, mempool: null, validation: null };
  expect(predict(partly, machine(8, 2, 0))).toBeNull();
  expect(predict(partly, machine(8, 1, 0))?.limit).toBe("admission");
});
