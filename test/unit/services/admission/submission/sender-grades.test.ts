import { expect, test } from "bun:test";
import {
  SenderGrades,
  VALIDATION_MEMORY_MS,
} from "#services/admission/submission/sender-grades.ts";

const exists = () => true;
const missing = () => false;

function grades() {
  const clock = { nowMs: 0 };
  return { clock, grades: new SenderGrades(() => clock.nowMs, VALIDATION_MEMORY_MS) };
}

test("a sender without a record is plain with an account and doubtful without one", () => {
  const { grades: of } = grades();
  expect(of.gradeOf(1n, exists)).toBe("plain");
  expect(of.gradeOf(1n, missing)).toBe("doubtful");
});

test("a transaction that was taken proves its sender, also one whose account is new", () => {
  const { grades: of } = grades();
  of.succeeded(1n);
  expect(of.gradeOf(1n, missing)).toBe("proven");
  expect(of.gradeOf(2n, exists)).toBe("plain");
});

test("one failed validation makes an unknown sender doubtful, and a proven one only when repeated", () => {
  const { grades: of } = grades();
  of.failed(1n);
  expect(of.gradeOf(1n, exists)).toBe("doubtful");
  for (let i = 0; i < 100; i++) of.succeeded(2n);
  of.failed(2n);
  expect(of.gradeOf(2n, exists)).toBe("proven");
  of.failed(2n);
  expect(of.gradeOf(2n, exists)).toBe("doubtful");
});

test("however many validations failed in its name, five successes clear a sender", () => {
  const { grades: of } = grades();
  for (let i = 0; i < 1000; i++) of.failed(1n);
  for (let i = 0; i < 5; i++) of.succeeded(1n);
  expect(of.gradeOf(1n, exists)).toBe("proven");
});

test("a record is forgotten after a minute without news", () => {
  const { clock, grades: of } = grades();
  of.failed(1n);
  clock.nowMs = 60_000;
  expect(of.gradeOf(1n, exists)).toBe("doubtful");
  clock.nowMs = 60_001;
  expect(of.gradeOf(1n, exists)).toBe("plain");
});

test("of more than 10000 senders the one without news for longest is forgotten", () => {
  const { grades: of } = grades();
  of.failed(1n);
  of.failed(2n);
  of.failed(1n);
  for (let sender = 3n; sender < 10_002n; sender++) of.failed(sender);
  expect(of.gradeOf(1n, exists)).toBe("doubtful");
  expect(of.gradeOf(2n, exists)).toBe("plain");
});
