import { expect, test } from "bun:test";
import {
  SenderGrades,
  VALIDATION_MEMORY_MS,
} from "#services/admission/submission/sender-grades.ts";

/** A sender with a distinct address by default. */
const from = (sender: bigint, client = `client of ${sender}`) => ({ sender, client });

const exists = () => true;
const missing = () => false;

function grades() {
  const clock = { nowMs: 0 };
  return { clock, grades: new SenderGrades(() => clock.nowMs, VALIDATION_MEMORY_MS) };
}

test("a sender without a record is plain with an account and doubtful without one", () => {
  const { grades: of } = grades();
  expect(of.gradeOf(from(1n), exists)).toBe("plain");
  expect(of.gradeOf(from(1n), missing)).toBe("doubtful");
});

test("an accepted transaction proves its sender, also one with a new account", () => {
  const { grades: of } = grades();
  of.succeeded(from(1n));
  expect(of.gradeOf(from(1n), missing)).toBe("proven");
  expect(of.gradeOf(from(2n), exists)).toBe("plain");
});

test("one failed validation makes an unknown sender doubtful, and a proven one only if repeated", () => {
  const { grades: of } = grades();
  of.failed(from(1n));
  expect(of.gradeOf(from(1n), exists)).toBe("doubtful");
  for (let i = 0; i < 100; i++) of.succeeded(from(2n));
  of.failed(from(2n));
  expect(of.gradeOf(from(2n), exists)).toBe("proven");
  of.failed(from(2n));
  expect(of.gradeOf(from(2n), exists)).toBe("doubtful");
});

test("five successes clear a sender, however many of its validations failed", () => {
  const { grades: of } = grades();
  for (let i = 0; i < 1000; i++) of.failed(from(1n));
  for (let i = 0; i < 5; i++) of.succeeded(from(1n));
  expect(of.gradeOf(from(1n), exists)).toBe("proven");
});

test("a record is forgotten after a minute without updates", () => {
  const { clock, grades: of } = grades();
  of.failed(from(1n));
  clock.nowMs = 60_000;
  expect(of.gradeOf(from(1n), exists)).toBe("doubtful");
  clock.nowMs = 60_001;
  expect(of.gradeOf(from(1n), exists)).toBe("plain");
});

test("above 10000 senders the least recently updated one is forgotten", () => {
  const { grades: of } = grades();
  of.failed(from(1n));
  of.failed(from(2n));
  of.failed(from(1n));
  for (let sender = 3n; sender < 10_002n; sender++) of.failed(from(sender));
  expect(of.gradeOf(from(1n), exists)).toBe("doubtful");
  expect(of.gradeOf(from(2n), exists)).toBe("plain");
});

test("a failure counts against all senders of its address without a record", () => {
  const { grades: of } = grades();
  of.succeeded(from(3n, "a"));
  of.failed(from(1n, "a"));
  expect(of.gradeOf(from(2n, "a"), exists)).toBe("doubtful");
  expect(of.gradeOf(from(2n, "b"), exists)).toBe("plain");
});

test("a sender with a good record stays proven despite failures from its address", () => {
  const { grades: of } = grades();
  of.succeeded(from(3n, "a"));
  for (let sender = 10n; sender < 20n; sender++) of.failed(from(sender, "a"));
  expect(of.gradeOf(from(3n, "a"), exists)).toBe("proven");
  expect([of.isBad(from(3n, "a")), of.isBad(from(2n, "a"))]).toEqual([false, true]);
});

test("two successes per failure keep an address clear", () => {
  const { grades: of } = grades();
  for (let i = 0n; i < 30n; i += 3n) {
    of.succeeded(from(i, "a"));
    of.succeeded(from(i + 1n, "a"));
    of.failed(from(i + 2n, "a"));
  }
  expect(of.gradeOf(from(99n, "a"), exists)).toBe("plain");
});
