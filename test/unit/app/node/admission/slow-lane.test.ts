import { expect, test } from "bun:test";
import { MAX_SLOW, SlowLane } from "#app/node/admission/slow-lane.ts";
import type { SlowValidation } from "#services/admission/index.ts";
import { settle } from "#test/helpers/admission-world.ts";

const BYTES = new Uint8Array([1]);

const BUSY = { kind: "rejected", code: "UNEXPECTED_ERROR", retryAfterSeconds: 5 } as const;

test("returns the outcome from another thread", async () => {
  const outcomes: (SlowValidation | undefined)[] = [
    { kind: "valid", prevalidated: null },
    { kind: "refused", code: "VALIDATION_FAILURE", reason: "no" },
    undefined,
  ];
  const asked: unknown[] = [];
  const lane = new SlowLane((...submission) => {
    asked.push(submission);
    return Promise.resolve(outcomes.shift());
  });
  expect(await lane.run(BYTES, true)).toEqual({ kind: "valid", prevalidated: null });
  expect(await lane.run(BYTES, false)).toEqual({
    kind: "rejected",
    code: "VALIDATION_FAILURE",
    reason: "no",
  });
  expect(await lane.run(BYTES, false)).toMatchObject(BUSY);
  expect(asked).toEqual([
    [BYTES, true],
    [BYTES, false],
    [BYTES, false],
  ]);
});

test("runs 64 validations at a time, and another one when one ends", async () => {
  const running: ((validation: SlowValidation) => void)[] = [];
  const lane = new SlowLane(() => new Promise((resolve) => void running.push(resolve)));
  for (let i = 0; i < 64; i++) void lane.run(BYTES, false);
  expect(await lane.run(BYTES, false)).toMatchObject(BUSY);
  expect(running).toHaveLength(64);
  running[0]?.({ kind: "valid", prevalidated: null });
  await settle();
  void lane.run(BYTES, false);
  expect(running).toHaveLength(65);
  expect(await lane.run(BYTES, false)).toMatchObject(BUSY);
  expect(MAX_SLOW).toBe(64);
});
