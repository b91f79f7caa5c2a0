import { describe, expect, test } from "bun:test";
import type { Client } from "#api/rpc/index.ts";
import { QueryJob } from "#app/node/query/query-job.ts";
import { WaitingJobs } from "#app/node/query/waiting-jobs.ts";

const LIMITS = { maxCount: 10, maxSizeBytes: 1_000, maxPerConnection: 6 };

const ignore = (): void => undefined;

function jobOf(client: Client, sizeBytes = 1, isSubmission = false): QueryJob {
  const work = isSubmission
    ? ({ kind: "prepare", bytes: new Uint8Array(sizeBytes) } as const)
    : ({
        kind: "query",
        specVersion: "",
        method: "call",
        paramsText: "x".repeat(sizeBytes),
      } as const);
  const kind = { kind: "", exact: "" };
  return new QueryJob(
    { work, kind, client, isLong: false, signal: undefined },
    { resolve: ignore, fail: ignore, refuse: ignore },
  );
}

/** Adds jobs regardless of the limits. */
function enter(waiting: WaitingJobs, count: number, client: Client, sizeBytes = 1): QueryJob[] {
  const jobs = Array.from({ length: count }, () => jobOf(client, sizeBytes));
  for (const job of jobs) waiting.add(job);
  return jobs;
}

describe("the job queue", () => {
  const a1: Client = { address: "a" };
  const a2: Client = { address: "a" };
  const b1: Client = { address: "b" };

  test("admits jobs up to the limits, and again after some have left", () => {
    const waiting = new WaitingJobs(LIMITS);
    const [first] = enter(waiting, 5, a1);
    enter(waiting, 5, b1);
    const next = jobOf(a2);
    expect(waiting.inTheWay(next)).not.toBeUndefined();
    if (first !== undefined) {
      waiting.remove(first);
      waiting.remove(first);
    }
    expect([waiting.total, waiting.inTheWay(next)]).toEqual([
      { count: 9, sizeBytes: 9 },
      undefined,
    ]);
  });

  test("limits queries per connection, but not submissions", () => {
    const waiting = new WaitingJobs(LIMITS);
    enter(waiting, 6, a1);
    const next = jobOf(a1);
    expect(waiting.inTheWay(next)).toBe(next);
    expect(waiting.inTheWay(jobOf(a2))).toBeUndefined();
    expect(waiting.inTheWay(jobOf(a1, 1, true))).toBeUndefined();
  });

  test("evicts the newest job of the largest connection of the largest address", () => {
    const waiting = new WaitingJobs(LIMITS);
    const few = enter(waiting, 3, a1);
    const many = enter(waiting, 4, a2);
    enter(waiting, 3, b1);
    expect(waiting.inTheWay(jobOf({ address: "c" }))).toBe(many[3]);
    expect(waiting.inTheWay(jobOf(b1))).toBe(many[3]);
    // Connections of one address are compared.
    expect(waiting.inTheWay(jobOf({ address: "a" }))).toBe(many[3]);
    const own = jobOf(a1);
    expect(waiting.inTheWay(own)).toBe(own);
    expect(few).toHaveLength(3);
  });

  test("rejects a job of the largest client", () => {
    const waiting = new WaitingJobs(LIMITS);
    enter(waiting, 5, a1);
    enter(waiting, 5, b1);
    const own = jobOf(b1);
    expect(waiting.inTheWay(own)).toBe(own);
  });

  test("applies the same rules to bytes", () => {
    const waiting = new WaitingJobs(LIMITS);
    const large = enter(waiting, 2, a1, 400);
    enter(waiting, 1, b1, 100);
    expect(waiting.inTheWay(jobOf(b1, 100))).toBeUndefined();
    expect(waiting.inTheWay(jobOf(b1, 101))).toBe(large[1]);
    const huge = jobOf(b1, 1_001);
    expect(waiting.inTheWay(huge)).toBe(huge);
    const own = jobOf(a1, 200);
    expect(waiting.inTheWay(own)).toBe(own);
  });

  test("forgets clients without queued jobs", () => {
    const waiting = new WaitingJobs(LIMITS);
    for (const job of enter(waiting, 6, a1)) waiting.remove(job);
    expect([waiting.total, waiting.inTheWay(jobOf(a1))]).toEqual([
      { count: 0, sizeBytes: 0 },
      undefined,
    ]);
  });
});
