import { describe, expect, test } from "bun:test";
import type { Client } from "#api/rpc/index.ts";
import { limitMsOf, QueryJob } from "#app/node/query/query-job.ts";
import { QueryLanes } from "#app/node/query/query-lanes.ts";
import { WorkMemory } from "#app/node/query/work-memory.ts";

const SHORT_MS = 5;
const LONG_MS = 500;
const CLIENT: Client = { address: "a" };

const ignore = (): void => undefined;
const ENDS = { resolve: ignore, fail: ignore, refuse: ignore };

function jobOf(kind: string, isLong = false, client = CLIENT): QueryJob {
  const work = { kind: "query", specVersion: "", method: kind, paramsText: "" } as const;
  return new QueryJob({ work, kind: { kind, exact: "" }, client, isLong, signal: undefined }, ENDS);
}

function world() {
  const memory = new WorkMemory(() => 0);
  const room = { has: (_client: Client): boolean => true };
  memory.note({ kind: "short", exact: "" }, SHORT_MS, true);
  memory.note({ kind: "long", exact: "" }, LONG_MS, true);
  const lanes = new QueryLanes(memory, (client) => room.has(client));
  const next = (mayBeLong: boolean) => lanes.next(mayBeLong)?.job.kind.kind;
  return { memory, lanes, next, room };
}

describe("the next short query of a batch", () => {
  const shortOf = (lanes: QueryLanes, mostMs: number) => lanes.nextShort(mostMs)?.job.kind.kind;

  test("is one whose expected time fits the remaining time", () => {
    const { lanes } = world();
    for (let i = 0; i < 3; i++) lanes.push(jobOf("short"));
    expect([shortOf(lanes, SHORT_MS), shortOf(lanes, SHORT_MS - 1), lanes.size]).toEqual([
      "short",
      undefined,
      2,
    ]);
  });

  test("is none while unknown queries are due, and never one that turned out to be long", () => {
    const { memory, lanes } = world();
    lanes.push(jobOf("new"));
    expect(shortOf(lanes, 100)).toBeUndefined();
    lanes.push(jobOf("short"));
    const [first] = [lanes.next(false)];
    if (first !== undefined) lanes.charge(first, 100);
    expect([first?.lane, shortOf(lanes, 100)]).toEqual(["short", undefined]);
    lanes.next(false);
    lanes.push(jobOf("short"));
    memory.note({ kind: "short", exact: "" }, LONG_MS, true);
    expect([shortOf(lanes, 1_000), lanes.size]).toEqual([undefined, 1]);
  });
});

describe("the next query", () => {
  test("is a long one first where long work may run", () => {
    const { lanes, next } = world();
    for (const kind of ["short", "new", "long"]) lanes.push(jobOf(kind));
    lanes.push(jobOf("sent off", true));
    expect([next(true), next(true)]).toEqual(["long", "sent off"]);
    expect([next(true), next(true), next(true)]).toEqual(["short", "new", undefined]);
  });

  test("is never a long one elsewhere, even if that became known while it waited", () => {
    const { memory, lanes, next } = world();
    for (const kind of ["new", "short", "long", "new"]) lanes.push(jobOf(kind));
    memory.note({ kind: "new", exact: "" }, LONG_MS, true);
    expect([next(false), next(false), lanes.size]).toEqual(["short", undefined, 3]);
    expect([next(true), next(true), next(true)]).toEqual(["long", "new", "new"]);
  });

  test("gives four shares of time to known short queries, and one to unknown ones", () => {
    const { lanes } = world();
    for (let i = 0; i < 100; i++) for (const kind of ["short", "new"]) lanes.push(jobOf(kind));
    const spentMs = { short: 0, unknown: 0, long: 0 };
    for (let i = 0; i < 50; i++) {
      const next = lanes.next(false);
      if (next === undefined) break;
      lanes.charge(next, SHORT_MS);
      spentMs[next.lane] += SHORT_MS;
    }
    expect(spentMs).toEqual({ short: 200, unknown: 50, long: 0 });
  });

  test("alternates again soon after one lane was idle", () => {
    const { lanes } = world();
    for (let i = 0; i < 100; i++) lanes.push(jobOf("new"));
    const serve = () => {
      const next = lanes.next(false);
      if (next !== undefined) lanes.charge(next, 40);
      return next?.lane;
    };
    for (let i = 0; i < 50; i++) serve();
    for (let i = 0; i < 100; i++) lanes.push(jobOf("short"));
    const served = Array.from({ length: 20 }, serve);
    expect(served.filter((lane) => lane === "unknown").length).toBeWithin(3, 6);
  });

  test("belongs to the lane with less time, even if the other one was empty in between", () => {
    const { lanes } = world();
    const serve = () => {
      const next = lanes.next(false);
      if (next !== undefined) lanes.charge(next, 40);
      return next?.lane;
    };
    for (let i = 0; i < 4; i++) lanes.push(jobOf("new"));
    const served = [serve(), serve()];
    for (let i = 0; i < 2; i++) {
      lanes.push(jobOf("short"));
      served.push(serve());
    }
    expect(served).toEqual(["unknown", "unknown", "short", "unknown"]);
  });
});

test("a job can be removed from any lane", () => {
  const { lanes } = world();
  const jobs = ["short", "new", "long"].map((kind) => jobOf(kind));
  for (const job of jobs) lanes.push(job);
  expect(jobs.map((job) => lanes.remove(job))).toEqual([true, true, true]);
  expect(jobs.map((job) => lanes.remove(job))).toEqual([false, false, false]);
  expect([lanes.size, lanes.next(true)]).toEqual([0, undefined]);
});

test("drain removes all jobs", () => {
  const { lanes } = world();
  for (const kind of ["short", "new", "long"]) lanes.push(jobOf(kind));
  expect(lanes.drain()).toHaveLength(3);
  expect([lanes.size, lanes.next(true)]).toEqual([0, undefined]);
});

test("queries have the configured deadline, submissions a fixed one", () => {
  expect(limitMsOf(jobOf("a"), 2_000)).toBe(2_000);
  const work = { kind: "prepare", bytes: new Uint8Array() } as const;
  expect(limitMsOf({ work }, 2_000)).toBe(30_000);
});

describe("jobs of a client over its byte budget", () => {
  test("wait in every lane", () => {
    const { lanes, next, room } = world();
    room.has = () => false;
    for (const kind of ["short", "unknown", "long"]) lanes.push(jobOf(kind));
    expect([next(true), lanes.nextShort(1e6), lanes.size]).toEqual([undefined, undefined, 3]);
    room.has = () => true;
    expect(new Set([next(true), next(true), next(true)])).toEqual(
      new Set(["short", "unknown", "long"]),
    );
  });

  test("do not block other lanes", () => {
    const { lanes, next, room } = world();
    const other: Client = { address: "b" };
    lanes.push(jobOf("short"));
    lanes.push(jobOf("unknown", false, other));
    room.has = (client) => client === other;
    expect([next(false), next(false)]).toEqual(["unknown", undefined]);
  });
});
