import { positionAt } from "#engine/state/index.ts";
import { PositionGate } from "#services/admission/position-gate.ts";
import { Caller, type HeldBytes } from "#api/rpc/index.ts";
import { WorkerQueryPool } from "#app/node/query/query-pool.ts";
import type { QueryPoolPorts } from "#app/node/query/query-pool-ports.ts";
import type { QueryOrder, ToQuery } from "#app/node/threads/query-messages.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { fakeThread, type FakeThread } from "#test/helpers/fake-thread.ts";
import { roomyBytes } from "./held-bytes.ts";

const encoder = new TextEncoder();

const decoder = new TextDecoder();

/** Query order of a pool. */
export type Query = Extract<QueryOrder, { kind: "query" }>;

/** A pool of `count` threads played by the test, at block 5; a contract's class is its address. */
export function queryPoolOf(
  count: number,
  observer: QueryPoolPorts["observer"] = { internalError: () => {} },
  compile: QueryPoolPorts["compile"] = () =>
    Promise.resolve({ kind: "busy", reason: "classes wait", retryAfterSeconds: 1 }),
  deadlineMs = 30_000,
  held: HeldBytes = roomyBytes(),
  forked: QueryPoolPorts["forked"] = null,
) {
  const threads = Array.from({ length: count }, () => queryThread());
  const timer = new FakeTimer();
  const gate = new PositionGate(5, timer);
  const classHashAt = (address: bigint): bigint => address;
  const parts = {
    threads,
    observer,
    view: gate,
    compile,
    classHashAt,
    timer,
    deadlineMs,
    held,
    forked,
  };
  const pool = new WorkerQueryPool(parts);
  return { pool, threads, timer, gate };
}

/** A thread that lists its jobs one by one, however they were batched, and closed streams. */
function queryThread(): FakeThread<Query> & { readonly closed: readonly number[] } {
  const thread = fakeThread<Query>();
  const closed: number[] = [];
  const send = (message: unknown): void => {
    const told = message as ToQuery;
    if (told.kind === "close") closed.push(told.of);
    else for (const order of told.orders) thread.port.send(order);
  };
  return { ...thread, port: { ...thread.port, send }, closed };
}

/** Requests a `call`, by default from a new client each time. */
export function ask(
  pool: WorkerQueryPool,
  paramsText: string,
  caller: Caller = new Caller("127.0.0.1"),
): Promise<Uint8Array> {
  return pool.run("0.10.2", "call", paramsText, caller);
}

/** Creates the message of a query thread that has finished jobs and returns no others. */
export const answersOf = (...answers: readonly object[]) =>
  ({ kind: "answers", answers, notStarted: [] }) as const;

/** Makes a thread report that its last job takes long. */
export function tellLong(thread: FakeThread<Query> | undefined): void {
  thread?.tell({ kind: "long", id: thread.sent.at(-1)?.id });
}

/** Responds to the last query of a thread. */
export function answerQuery(
  thread: FakeThread<Query> | undefined,
  text: string,
  accepted = 5,
  isCancelled = false,
  processorMs = 1,
): void {
  const bytes = encoder.encode(text);
  const position = positionAt(accepted);
  const answer = { id: thread?.sent.at(-1)?.id, processorMs, isCancelled, position, bytes };
  thread?.tell(answersOf(answer));
}

/** A response as text. */
export const answerText = async (running: Promise<Uint8Array>): Promise<string> =>
  decoder.decode(await running);

/** Error of a response. */
export async function answerError(running: Promise<Uint8Array>) {
  return (JSON.parse(await answerText(running)) as { error: { code: number; data: string } }).error;
}

/** Returns the value of the flag that makes a thread cancel its query. */
export const cancelFlagOf = (thread: FakeThread<Query> | undefined) =>
  thread === undefined ? undefined : Atomics.load(thread.cancelFlag, 0);
