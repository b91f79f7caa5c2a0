import type { Caller } from "#api/rpc/index.ts";
import type { FakeThread } from "./fake-thread.ts";
import { answerQuery, ask, cancelFlagOf, type Query, queryPoolOf, tellLong } from "./query-pool.ts";

/** Interval in which a machine checks its flag and its clock. */
export const LOOK_MS = 10;

/** A query of a test. */
export interface VirtualQuery {
  readonly caller: Caller;
  /** Called function: calls of one function are considered similar. */
  readonly kind: number;
  /** Processor time of the query. */
  readonly costMs: number;
}

interface Asked extends VirtualQuery {
  readonly startedAtMs: number;
  answeredAtMs: number | undefined;
}

interface Working {
  readonly thread: FakeThread<Query>;
  begun: number;
  query: Asked | undefined;
  spentMs: number;
  cancelledAtMs: number | undefined;
}

/** A pool whose threads work on a virtual clock. */
export class VirtualQueries {
  readonly #parts: ReturnType<typeof queryPoolOf>;
  readonly #asked: Asked[] = [];
  readonly #working: readonly Working[];
  #nowMs = 0;
  /** Number of queries that were cancelled and restarted. */
  restarts = 0;
  /** Longest time in which no thread switched to another query. */
  blockedMs = 0;

  constructor(threadCount: number) {
    this.#parts = queryPoolOf(threadCount, undefined, undefined, 100_000_000);
    this.#working = this.#parts.threads.map((thread) => ({
      thread,
      begun: 0,
      query: undefined,
      spentMs: 0,
      cancelledAtMs: undefined,
    }));
  }

  /** Number of pending queries. */
  get open(): number {
    return this.#asked.filter(({ answeredAtMs }) => answeredAtMs === undefined).length;
  }

  /** Sends a query now. @returns a function that gives its duration, once it is finished */
  ask(query: VirtualQuery): () => number | undefined {
    const asked: Asked = { ...query, startedAtMs: this.#nowMs, answeredAtMs: undefined };
    const request = {
      contract_address: "0x1",
      entry_point_selector: `0x${query.kind.toString(16)}`,
      calldata: [String(this.#asked.length)],
    };
    this.#asked.push(asked);
    void ask(this.#parts.pool, JSON.stringify([request]), query.caller);
    return () =>
      asked.answeredAtMs === undefined ? undefined : asked.answeredAtMs - asked.startedAtMs;
  }

  /** Advances time. */
  advance(ms: number): void {
    for (let i = 0; i < ms; i++) {
      this.#nowMs++;
      this.#parts.timer.advance(1);
      for (const working of this.#working) this.#work(working);
      this.#watch();
    }
  }

  /** Advances time until all queries are finished, for at most `mostMs`. */
  finish(mostMs: number): void {
    for (let i = 0; i < mostMs && this.open > 0; i++) this.advance(1);
  }

  #work(working: Working): void {
    const { thread } = working;
    if (working.begun < thread.sent.length) this.#take(working);
    const { query } = working;
    if (query === undefined) return;
    working.spentMs++;
    const { spentMs } = working;
    const longAfterMs = thread.sent.at(-1)?.longAfterMs ?? Number.POSITIVE_INFINITY;
    if (spentMs === longAfterMs + 1) tellLong(thread);
    if (cancelFlagOf(thread) === 1) working.cancelledAtMs ??= this.#nowMs;
    const isCancelled = this.#nowMs - (working.cancelledAtMs ?? this.#nowMs) >= LOOK_MS;
    if (!isCancelled && spentMs < query.costMs) return;
    working.query = undefined;
    const isDone = spentMs >= query.costMs;
    if (isDone) query.answeredAtMs = this.#nowMs;
    else this.restarts++;
    answerQuery(thread, "{}", 5, !isDone, spentMs);
  }

  #take(working: Working): void {
    const { thread } = working;
    working.begun = thread.sent.length;
    const [request] = JSON.parse(thread.sent.at(-1)?.paramsText ?? "[]") as {
      calldata: string[];
    }[];
    working.query = this.#asked[Number(request?.calldata[0])];
    working.spentMs = 0;
    working.cancelledAtMs = undefined;
  }

  /** Records for how long all threads have been working on one query each. */
  #watch(): void {
    const longest = Math.min(
      ...this.#working.map(({ query, spentMs }) => (query === undefined ? 0 : spentMs)),
    );
    this.blockedMs = Math.max(this.blockedMs, longest);
  }
}
