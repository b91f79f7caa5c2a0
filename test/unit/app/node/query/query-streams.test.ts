import { describe, expect, test } from "bun:test";
import { type AnswerStream, Caller } from "#api/rpc/index.ts";
import { MAX_STREAMS, PATIENCE_MS } from "#app/node/query/query-streams.ts";
import { positionAt } from "#engine/state/index.ts";
import type { QueryOrder } from "#app/node/threads/query-messages.ts";
import {
  answerError,
  answersOf,
  answerText,
  ask,
  cancelFlagOf,
  queryPoolOf,
} from "#test/helpers/query-pool.ts";

type World = ReturnType<typeof queryPoolOf>;
type Thread = World["threads"][number] | undefined;

const encoder = new TextEncoder();

/** Sends a response to a thread's last job. */
function answer(thread: Thread, text: string, more: object = {}): void {
  const id = thread?.sent.at(-1)?.id;
  const base = { id, processorMs: 1, isCancelled: false, position: positionAt(5) };
  thread?.tell(answersOf({ ...base, bytes: encoder.encode(text), ...more }));
}

/** Last job of a thread. */
const last = (thread: Thread) => thread?.sent.at(-1) as QueryOrder | undefined;

/**
 * Requests a trace.
 * @returns the thread that received it, and the pending response
 */
function begun({ pool, threads }: World, address: string, takeRest: (rest: AnswerStream) => void) {
  const before = threads.map(({ sent }) => sent.length);
  const caller = new Caller(address);
  const running = pool.run("0.10.2", "traceTransaction", "[]", caller, takeRest);
  const thread = threads.find(({ sent }, i) => sent.length > (before[i] ?? 0));
  return { running, thread, id: last(thread)?.id ?? -1, caller };
}

/** Like {@link begun}; the thread has sent the first chunk and works on the next one. */
async function opened(world: World, address = "10.0.0.1") {
  let rest: AnswerStream | undefined;
  const { running, thread, id } = begun(world, address, (given) => (rest = given));
  answer(thread, "start", { isOpen: true });
  const text = await answerText(running);
  return { text, thread, rest: rest as unknown as AnswerStream, id };
}

async function textOf(next: Promise<Uint8Array | undefined>): Promise<string | undefined> {
  const bytes = await next;
  return bytes && new TextDecoder().decode(bytes);
}

describe("the rest of a long response", () => {
  test("is made by the same thread, one chunk ahead of its reader", async () => {
    const world = queryPoolOf(3);
    const { text, rest, thread, id } = await opened(world);
    expect(text).toBe("start");
    expect(last(thread)).toMatchObject({ kind: "rest", of: id });
    answer(thread, "one", { isOpen: true });
    expect(thread?.sent).toHaveLength(2);
    expect(await textOf(rest.next())).toBe("one");
    expect(thread?.sent).toHaveLength(3);
    const second = rest.next();
    answer(thread, "two", { isOpen: true });
    expect(await textOf(second)).toBe("two");
    answer(thread, "three");
    expect(await textOf(rest.next())).toBe("three");
    expect(await rest.next()).toBeUndefined();
    expect(thread?.sent).toHaveLength(4);
    expect(thread?.closed).toEqual([]);
    const others = world.threads.filter((each) => each !== thread);
    expect(others.map(({ sent }) => sent.length)).toEqual([0, 0]);
  });

  test("is requested only if the query takes it", () => {
    const world = queryPoolOf(1);
    void world.pool.run("0.10.2", "traceTransaction", "[]", new Caller("10.0.0.1"));
    expect(world.threads[0]?.sent.at(-1)?.takesRest).toBeUndefined();
    const { thread } = begun(queryPoolOf(1), "10.0.0.1", () => undefined);
    expect(last(thread)).toMatchObject({ takesRest: true });
  });

  test("fails if the thread cannot make it", async () => {
    const { rest, thread } = await opened(queryPoolOf(1));
    const next = rest.next();
    answer(thread, "", { failed: "the block is gone" });
    expect(next).rejects.toThrow(/cannot continue: the block is gone/);
    expect(rest.next()).rejects.toThrow(/the block is gone/);
  });

  test("is dropped once closed, and its running chunk is cancelled", async () => {
    const world = queryPoolOf(1);
    const { rest, thread, id } = await opened(world);
    const next = rest.next();
    rest.close();
    rest.close();
    expect(await next).toBeUndefined();
    expect(thread?.closed).toEqual([id]);
    expect(cancelFlagOf(thread)).toBe(1);
    answer(thread, "late", { isOpen: true });
    void ask(world.pool, "[7]");
    expect(last(thread)).toMatchObject({ paramsText: "[7]" });
  });

  test("is dropped if the client left before the first chunk", () => {
    const { thread, id, caller } = begun(queryPoolOf(1), "10.0.0.1", () => undefined);
    caller.leave();
    answer(thread, "start", { isOpen: true });
    expect(thread?.closed).toEqual([id]);
  });

  test.each(["hold", "stop"] as const)("ends on %s, and is dropped", async (end) => {
    const world = queryPoolOf(1);
    const { rest, thread, id } = await opened(world);
    const next = rest.next();
    void world.pool[end]();
    expect(next).rejects.toThrow(end === "hold" ? /reverted/ : /stopping/);
    expect(thread?.closed).toEqual([id]);
  });
});

describe("the rest of a long response and other jobs of its thread", () => {
  test("get equal processor time while both are queued", async () => {
    const world = queryPoolOf(1);
    const { rest, thread } = await opened(world);
    for (let i = 0; i < 12; i++) void ask(world.pool, `[${i}]`, new Caller("10.0.0.2"));
    const order: string[] = [];
    for (let i = 0; i < 16; i++) {
      const kind = last(thread)?.kind ?? "";
      order.push(kind);
      const next = kind === "rest" ? rest.next() : undefined;
      // One query takes as long as three chunks.
      const more = kind === "rest" ? { processorMs: 20, isOpen: true } : { processorMs: 60 };
      answer(thread, "x", more);
      await next;
    }
    const pieces = order.filter((kind) => kind === "rest").length;
    expect(pieces).toBeGreaterThanOrEqual(10);
    expect(pieces).toBeLessThanOrEqual(13);
  });

  test("do not compete for time used before the response was started", async () => {
    const world = queryPoolOf(1);
    const [thread] = world.threads;
    for (let i = 0; i < 3; i++) {
      void ask(world.pool, `[${i}]`);
      answer(thread, "x", { processorMs: 60_000 });
    }
    const { rest } = await opened(world);
    for (let i = 0; i < 4; i++) void ask(world.pool, `[${i}]`, new Caller("10.0.0.2"));
    const kinds: (string | undefined)[] = [];
    for (let i = 0; i < 6; i++) {
      const kind = last(thread)?.kind;
      kinds.push(kind);
      const next = kind === "rest" ? rest.next() : undefined;
      answer(thread, "x", { processorMs: 100, ...(kind === "rest" && { isOpen: true }) });
      await next;
    }
    expect(kinds.filter((kind) => kind === "query").length).toBeGreaterThanOrEqual(2);
  });

  test("wait while all other threads run long jobs", async () => {
    const world = queryPoolOf(2);
    const { thread } = await opened(world);
    answer(thread, "one", { isOpen: true });
    const other = world.threads.find((each) => each !== thread);
    void ask(world.pool, "[1]");
    void ask(world.pool, "[2]");
    other?.tell({ kind: "long", id: last(other)?.id });
    answer(thread, "x");
    expect(last(thread)?.kind).toBe("query");
  });
});

describe("open long responses", () => {
  test("are limited per address, and a further one is rejected", async () => {
    const world = queryPoolOf(8);
    for (let i = 0; i < MAX_STREAMS.ofAddress; i++) await opened(world);
    const { running, thread, id } = begun(world, "10.0.0.1", () => expect.unreachable());
    answer(thread, "start", { isOpen: true });
    expect(await answerError(running)).toMatchObject({
      code: -32005,
      data: expect.stringContaining("long responses"),
    });
    expect(thread?.closed).toEqual([id]);
    expect((await opened(world, "10.0.0.2")).text).toBe("start");
  });

  test("are limited in total", async () => {
    const world = queryPoolOf(8);
    for (let i = 0; i < MAX_STREAMS.inAll; i++) await opened(world, `10.0.0.${i}`);
    const { running, thread } = begun(world, "10.1.0.1", () => expect.unreachable());
    answer(thread, "start", { isOpen: true });
    expect((await answerError(running)).code).toBe(-32005);
  });

  test("are closed for new ones if their clients do not read", async () => {
    const world = queryPoolOf(8);
    const reading = await opened(world);
    const idle = await opened(world);
    const next = reading.rest.next();
    world.timer.advance(PATIENCE_MS + 1);
    expect((await opened(world)).text).toBe("start");
    expect([reading.thread?.closed, idle.thread?.closed]).toEqual([[], [idle.id]]);
    expect(idle.rest.next()).rejects.toThrow(/did not read/);
    answer(reading.thread, "one", { isOpen: true });
    expect(await textOf(next)).toBe("one");
  });
});
