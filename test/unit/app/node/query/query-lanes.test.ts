import { describe, expect, test } from "bun:test";
import { limitMsOf, type QueryJob, QueryLanes } from "#app/node/query/query-lanes.ts";

function job(name: string, givenUp: number): QueryJob {
  return {
    work: { kind: "query", specVersion: "", method: name, paramsText: "" },
    resolve: () => undefined,
    fail: () => undefined,
    givenUp,
  };
}

const nameOf = (found: QueryJob | undefined) =>
  found?.work.kind === "query" ? found.work.method : undefined;

describe("how long a job may run", () => {
  test.each([
    [0, true, 100],
    [1, true, 400],
    [2, true, 30_000],
    [0, false, 30_000],
    [1, false, 30_000],
    [2, false, 30_000],
  ])("given up %p times, on the quick thread %p: %p ms", (givenUp, isQuick, limitMs) => {
    expect(limitMsOf(job("a", givenUp), isQuick)).toBe(limitMs);
  });
});

test("a shorter deadline holds on the quick thread too", () => {
  expect(limitMsOf(job("a", 0), true, 50)).toBe(50);
  expect(limitMsOf(job("a", 0), false, 2_000)).toBe(2_000);
  const work = { kind: "prepare", bytes: new Uint8Array() } as const;
  expect(limitMsOf({ ...job("a", 0), work }, false, 2_000)).toBe(30_000);
});

test("a job is taken out wherever it waits, with its bytes", () => {
  const lanes = new QueryLanes();
  const jobs = [0, 1, 2].map((givenUp) => ({
    ...job("a", givenUp),
    work: { kind: "prepare", bytes: new Uint8Array(10) } as const,
  }));
  for (const one of jobs) lanes.push(one);
  for (const one of [...jobs, ...jobs]) lanes.remove(one);
  expect([lanes.size, lanes.sizeBytes, lanes.next(false)]).toEqual([0, 0, undefined]);
});

describe("what comes next", () => {
  const filled = () => {
    const lanes = new QueryLanes();
    for (const name of ["a", "b"]) {
      for (const givenUp of [0, 1, 2]) lanes.push(job(`${name}${givenUp}`, givenUp));
    }
    return lanes;
  };
  const order = (lanes: QueryLanes, isQuick: boolean) => {
    const names: unknown[] = [];
    for (let next = lanes.next(isQuick); next !== undefined; next = lanes.next(isQuick)) {
      names.push(nameOf(next));
    }
    return names;
  };

  test("on the quick thread: what was not begun, then second times, and never what is long", () => {
    const lanes = filled();
    expect(order(lanes, true)).toEqual(["a0", "b0", "a1", "b1"]);
    expect(lanes.size).toBe(2);
  });

  test("on another thread: what is long, then second times, then what was not begun", () => {
    const lanes = filled();
    expect(lanes.size).toBe(6);
    expect(order(lanes, false)).toEqual(["a2", "b2", "a1", "b1", "a0", "b0"]);
    expect(lanes.size).toBe(0);
  });

  test("after everything was taken out: nothing", () => {
    const lanes = filled();
    expect(lanes.drain().map(nameOf)).toEqual(["a0", "b0", "a1", "b1", "a2", "b2"]);
    expect([lanes.size, lanes.next(true), lanes.next(false)]).toEqual([0, undefined, undefined]);
  });
});
