import { describe, expect, test } from "bun:test";
import type { Client } from "#api/rpc/index.ts";
import { QueryJob } from "#app/node/query/query-job.ts";
import { WaitingRoom } from "#app/node/query/waiting-room.ts";

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
    { work, kind, client, isLong: false },
    { resolve: ignore, fail: ignore, refuse: ignore },
  );
}

/** Lets in what is given, whatever is in the way. */
function enter(room: WaitingRoom, count: number, client: Client, sizeBytes = 1): QueryJob[] {
  const jobs = Array.from({ length: count }, () => jobOf(client, sizeBytes));
  for (const job of jobs) room.enter(job);
  return jobs;
}

describe("a waiting room", () => {
  const a1: Client = { address: "a" };
  const a2: Client = { address: "a" };
  const b1: Client = { address: "b" };

  test("has room up to its limits, and again when some have left", () => {
    const room = new WaitingRoom(LIMITS);
    const [first] = enter(room, 5, a1);
    enter(room, 5, b1);
    const next = jobOf(a2);
    expect(room.inTheWay(next)).not.toBeUndefined();
    if (first !== undefined) {
      room.leave(first);
      room.leave(first);
    }
    expect([room.total, room.inTheWay(next)]).toEqual([{ count: 9, sizeBytes: 9 }, undefined]);
  });

  test("takes so many queries of a connection and no more, and any number of submissions", () => {
    const room = new WaitingRoom(LIMITS);
    enter(room, 6, a1);
    const next = jobOf(a1);
    expect(room.inTheWay(next)).toBe(next);
    expect(room.inTheWay(jobOf(a2))).toBeUndefined();
    expect(room.inTheWay(jobOf(a1, 1, true))).toBeUndefined();
  });

  test("makes room at the cost of the newest of the largest connection of the largest address", () => {
    const room = new WaitingRoom(LIMITS);
    const few = enter(room, 3, a1);
    const many = enter(room, 4, a2);
    enter(room, 3, b1);
    expect(room.inTheWay(jobOf({ address: "c" }))).toBe(many[3]);
    expect(room.inTheWay(jobOf(b1))).toBe(many[3]);
    // Of one address connections compare.
    expect(room.inTheWay(jobOf({ address: "a" }))).toBe(many[3]);
    const own = jobOf(a1);
    expect(room.inTheWay(own)).toBe(own);
    expect(few).toHaveLength(3);
  });

  test("refuses whoever would have as much as anybody", () => {
    const room = new WaitingRoom(LIMITS);
    enter(room, 5, a1);
    enter(room, 5, b1);
    const own = jobOf(b1);
    expect(room.inTheWay(own)).toBe(own);
  });

  test("counts bytes in the same way", () => {
    const room = new WaitingRoom(LIMITS);
    const large = enter(room, 2, a1, 400);
    enter(room, 1, b1, 100);
    expect(room.inTheWay(jobOf(b1, 100))).toBeUndefined();
    expect(room.inTheWay(jobOf(b1, 101))).toBe(large[1]);
    const huge = jobOf(b1, 1_001);
    expect(room.inTheWay(huge)).toBe(huge);
    const own = jobOf(a1, 200);
    expect(room.inTheWay(own)).toBe(own);
  });

  test("forgets clients that have nothing waiting", () => {
    const room = new WaitingRoom(LIMITS);
    for (const job of enter(room, 6, a1)) room.leave(job);
    expect([room.total, room.inTheWay(jobOf(a1))]).toEqual([{ count: 0, sizeBytes: 0 }, undefined]);
  });
});
