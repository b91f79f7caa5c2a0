import { describe, expect, test } from "bun:test";
import { type QueryThread, WorkerQueryPool } from "#node/query-pool.ts";
import type { ToQuery } from "#node/workers/protocol.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface FakeThread extends QueryThread {
  readonly queries: Extract<ToQuery, { kind: "query" }>[];
  answer(text: string): void;
  tell(message: unknown): void;
}

function fakeThread(): FakeThread {
  const queries: Extract<ToQuery, { kind: "query" }>[] = [];
  let handler: (message: unknown) => void = () => undefined;
  return {
    queries,
    cancelFlag: new Int32Array(new SharedArrayBuffer(4)),
    answer: (text) =>
      handler({ kind: "answer", id: queries.at(-1)?.id, bytes: encoder.encode(text) }),
    tell: (message) => handler(message),
    thread: {
      name: "query",
      loaded: Promise.resolve(),
      send: (message) => void queries.push(message as Extract<ToQuery, { kind: "query" }>),
      onMessage: (given) => (handler = given),
      terminate: () => undefined,
    },
  };
}

const silent = { internalError: () => undefined };

describe("a pool", () => {
  test("hands each thread one query at a time, in order", async () => {
    const thread = fakeThread();
    const pool = new WorkerQueryPool([thread], silent);
    const first = pool.run("0.10.2", "call", "[1]");
    const second = pool.run("0.10.2", "call", "[2]");
    expect(thread.queries.map((query) => query.paramsText)).toEqual(["[1]"]);
    thread.answer("one");
    expect(decoder.decode(await first)).toBe("one");
    expect(thread.queries.map((query) => query.paramsText)).toEqual(["[1]", "[2]"]);
    thread.answer("two");
    expect(decoder.decode(await second)).toBe("two");
  });

  test("uses every thread", () => {
    const threads = [fakeThread(), fakeThread()];
    const pool = new WorkerQueryPool(threads, silent);
    void pool.run("0.10.2", "call", "[]");
    void pool.run("0.10.2", "call", "[]");
    expect(threads.map((thread) => thread.queries.length)).toEqual([1, 1]);
  });

  test("refuses with an answer when too many wait", async () => {
    const pool = new WorkerQueryPool([fakeThread()], silent);
    for (let i = 0; i < 4_097; i++) void pool.run("0.10.2", "call", "[]");
    const refused = JSON.parse(decoder.decode(await pool.run("0.10.2", "call", "[]"))) as {
      error: { code: number; data: string };
    };
    expect(refused.error.code).toBe(-32603);
    expect(refused.error.data).toContain("4096");
  });

  test("a new query starts with its cancel flag lowered", () => {
    const thread = fakeThread();
    const pool = new WorkerQueryPool([thread], silent);
    Atomics.store(thread.cancelFlag, 0, 1);
    void pool.run("0.10.2", "call", "[]");
    expect(Atomics.load(thread.cancelFlag, 0)).toBe(0);
  });

  test("passes internal errors on to the log", () => {
    const seen: string[] = [];
    const thread = fakeThread();
    const observer = {
      internalError: (method: string, logId: string) => void seen.push(method, logId),
    };
    void new WorkerQueryPool([thread], observer);
    thread.tell({ kind: "internalError", method: "call", logId: "id-1", reason: "x" });
    expect(seen).toEqual(["call", "id-1"]);
  });
});
