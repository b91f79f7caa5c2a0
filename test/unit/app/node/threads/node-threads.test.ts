import { describe, expect, test } from "bun:test";
import { NodeError } from "#base/errors/index.ts";
import { Pulse } from "#app/node/threads/health/pulse.ts";
import { THREADS_STOP_MS } from "#app/node/threads/thread-crew.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { settle } from "#test/helpers/admission-world.ts";
import type { FakeThread } from "#test/helpers/fake-thread.ts";
import {
  QUERY_THREADS,
  type SentToThread,
  STAND_IN_SETUP,
  standInThreads,
  VALIDATORS,
} from "#test/helpers/stand-in-threads.ts";

/** Returns the message of a promise that must reject. */
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing was thrown",
    (error: Error) => error.message,
  );

/** Threads of a sequencer, played by the test. */
const nodeThreads = ({ silent = [] as readonly string[] } = {}) =>
  standInThreads(SEQUENCER.threads, silent);

const flags = ({ threads }: ReturnType<typeof nodeThreads>): number[] =>
  [
    threads.end("executor"),
    threads.end("admission"),
    threads.end("committer"),
    ...threads.validators,
    ...threads.queries,
  ].map(({ cancelFlag }) => Atomics.load(cancelFlag, 0));

describe("starting", () => {
  test("starts the executor last, when all others listen", async () => {
    const { threads, order } = nodeThreads();
    await threads.started;
    expect(order.at(-1)).toBe("init executor");
    expect(order).toContain("init query-0");
  });

  test("connects every reader with the executor and the committer", async () => {
    const { threads, fakes } = nodeThreads();
    await threads.started;
    const portsOf = (name: string) =>
      Object.keys(fakes.get(name)?.sent[0]?.init?.ports ?? {}).sort();
    expect(portsOf("query-0")).toEqual(["committer", "executor"]);
    expect(portsOf("admission")).toEqual(["committer", "executor", "validator-0", "validator-1"]);
    expect(portsOf("validator-1")).toEqual(["admission", "committer", "executor"]);
    expect(portsOf("executor")).toContain("query-0");
    expect(portsOf("executor").slice(0, 2)).toEqual(["admission", "committer"]);
    expect(portsOf("committer").slice(0, 3)).toEqual(["admission", "executor", "query-0"]);
  });

  test("shows the progress of each thread once all have started, until they stop", async () => {
    const { threads, fakes } = nodeThreads();
    expect(threads.pulses).toBeUndefined();
    await threads.started;
    const page = fakes.get("committer")?.sent[0]?.init?.pulse ?? new SharedArrayBuffer(4);
    new Pulse(page).beat();
    const counts = [...(threads.pulses ?? [])].filter(([, { count }]) => count > 0);
    expect(counts.map(([name]) => name)).toEqual(["committer"]);
    await threads.restart(() => Promise.resolve(expect(threads.pulses).toBeUndefined()));
    expect(threads.pulses?.get("committer")?.count).toBe(0);
    await threads.stop("terminate");
    expect(threads.pulses).toBeUndefined();
  });

  test("fails when a started thread fails before the others have started", async () => {
    const { threads, fakes, failures } = nodeThreads({ silent: ["executor"] });
    await Bun.sleep(0);
    fakes.get("committer")?.tell({ kind: "failed", reason: "no key" });
    expect(await messageOf(threads.started)).toContain("committer: no key");
    expect(failures).toEqual([]);
  });

  test("fails when a thread dies meanwhile", async () => {
    const { threads, fakes } = nodeThreads({ silent: ["executor"] });
    fakes.get("admission")?.onDeath(new NodeError("NODE_X", "dead"));
    expect(await messageOf(threads.started)).toContain("dead");
  });

  test("causes no unhandled rejection if nobody awaits the start", async () => {
    const { fakes } = nodeThreads({ silent: ["committer"] });
    fakes.get("committer")?.tell({ kind: "failed", reason: "no key" });
    await Bun.sleep(1);
  });
});

describe("validators", () => {
  test("exist in a role that has them, each with its index", async () => {
    const { threads, fakes } = nodeThreads();
    await threads.started;
    expect(threads.validators).toHaveLength(VALIDATORS);
    const [first] = threads.validators;
    expect(fakes.get("validator-1")?.sent[0]).toMatchObject({ init: { index: 1 } });
    await threads.restart(() => Promise.resolve());
    expect(threads.validators[0]).toBe(first as never);
    await threads.change(FULL_NODE.threads, STAND_IN_SETUP, () => Promise.resolve());
    expect(threads.validators).toEqual([]);
    await threads.change(SEQUENCER.threads, STAND_IN_SETUP, () => Promise.resolve());
    expect(threads.validators).toHaveLength(VALIDATORS);
    expect(threads.validators[0]).not.toBe(first as never);
  });
});

describe("a thread that an option adds", () => {
  test("is in every role: it starts last, stops first, and only main reaches it", async () => {
    const { threads, fakes, order } = standInThreads(SEQUENCER.threads, [], ["explorer"]);
    await threads.started;
    expect(order.at(-1)).toBe("init explorer");
    expect(fakes.get("explorer")?.sent[0]?.init?.ports).toEqual({});
    const { port } = threads.end("explorer");
    order.length = 0;
    await threads.change(FULL_NODE.threads, STAND_IN_SETUP, () => Promise.resolve());
    expect([order[0], order.at(-1)]).toEqual(["stop explorer", "init explorer"]);
    expect(threads.end("explorer").port).toBe(port);
  });
});

test("starts as many query threads as configured", async () => {
  const { threads } = nodeThreads();
  await threads.started;
  expect(threads.queries).toHaveLength(QUERY_THREADS);
});

describe("a failure of a running thread", () => {
  test("is reported to the node with the thread's name", async () => {
    const { threads, fakes, failures } = nodeThreads();
    await threads.started;
    fakes.get("committer")?.tell({ kind: "failed", reason: "disk full" });
    expect(failures).toEqual(["committer: disk full"]);
  });
});

describe("a death", () => {
  test("is reported with the thread's name before the node fails, also while others start", async () => {
    const { threads, fakes, deaths, failures } = nodeThreads();
    fakes.get("admission")?.onDeath(new NodeError("NODE_X", "first"));
    await threads.started.catch(() => undefined);
    expect<unknown>([deaths, failures]).toEqual([["admission"], []]);
    const running = nodeThreads();
    await running.threads.started;
    running.fakes.get("executor")?.onDeath(new NodeError("NODE_X", "later"));
    expect([running.deaths, running.failures]).toEqual([["executor"], ["later"]]);
  });
});

describe("stopping", () => {
  test("raises every flag and stops the executor first, then the others", async () => {
    const node = nodeThreads();
    await node.threads.started;
    expect(new Set(flags(node))).toEqual(new Set([0]));
    node.order.length = 0;
    await node.threads.stop("terminate");
    expect(new Set(flags(node))).toEqual(new Set([1]));
    expect(node.order[0]).toBe("stop executor");
    expect(node.order).toHaveLength(flags(node).length);
    expect([...node.fakes.values()].every(({ isTerminated }) => isTerminated)).toBe(true);
  });

  test("releases threads that have finished if the process ends next", async () => {
    const { threads, fakes } = nodeThreads();
    await threads.started;
    await threads.stop("release");
    const ends = [...fakes.values()].map((fake) => [fake.isReleased, fake.isTerminated]);
    expect(new Set(ends.map(String))).toEqual(new Set(["true,false"]));
  });

  test("waits for the executor before it stops the threads connected to it", async () => {
    const silent: string[] = [];
    const { threads, fakes, order } = nodeThreads({ silent });
    await threads.started;
    silent.push("executor");
    order.length = 0;
    const stopped = threads.stop("terminate");
    await Bun.sleep(0);
    expect(order).toEqual(["stop executor"]);
    fakes.get("executor")?.tell({ kind: "stopped" });
    await stopped;
    expect(order.slice(1)).toContain("stop committer");
  });

  test("gives all threads together a bounded time", async () => {
    const silent: string[] = [];
    const { threads, fakes, timer } = nodeThreads({ silent });
    await threads.started;
    silent.push("executor", "committer");
    const stopped = threads.stop("terminate");
    await settle();
    timer.advance(THREADS_STOP_MS);
    await Bun.sleep(0);
    // A thread that hangs leaves no time for those stopped after it.
    timer.advance(0);
    await stopped;
    expect(fakes.get("committer")?.isTerminated).toBe(true);
  });

  test("waits a bounded time for threads that still start, then terminates them", async () => {
    const { threads, fakes, timer } = nodeThreads({ silent: ["admission"] });
    const stopped = threads.stop("terminate");
    await settle();
    timer.advance(THREADS_STOP_MS - 1);
    await settle();
    expect([...fakes.values()].some(({ isTerminated }) => isTerminated)).toBe(false);
    timer.advance(1);
    await stopped;
    expect([...fakes.values()].every(({ isTerminated }) => isTerminated)).toBe(true);
    expect(fakes.get("committer")?.sent.map(({ kind }) => kind)).toEqual(["init"]);
  });
});

describe("a restart", () => {
  test("runs the work while no thread runs, and keeps ports and flags", async () => {
    const { threads, order, fakes } = nodeThreads();
    await threads.started;
    const heard: unknown[] = [];
    threads.end("committer").port.listen((message) => void heard.push(message));
    const { cancelFlag } = threads.end("executor");
    order.length = 0;
    await threads.restart(() => {
      order.push("work");
      expect(Atomics.load(cancelFlag, 0)).toBe(1);
      return Promise.resolve();
    });
    const [stops, starts] = [
      order.slice(0, order.indexOf("work")),
      order.slice(order.indexOf("work") + 1),
    ];
    expect(stops[0]).toBe("stop executor");
    expect(stops).toHaveLength(threads.queries.length + VALIDATORS + 3);
    expect(starts.at(-1)).toBe("init executor");
    expect(Atomics.load(cancelFlag, 0)).toBe(0);
    expect(threads.end("executor").cancelFlag).toBe(cancelFlag);
    fakes.get("committer")?.tell({ kind: "settledOnL1", id: 1, isDone: true });
    expect(heard).toEqual([{ kind: "settledOnL1", id: 1, isDone: true }]);
  });

  test("exchanges no messages with old threads during the work", async () => {
    const { threads, fakes } = nodeThreads();
    await threads.started;
    const heard: unknown[] = [];
    threads.end("committer").port.listen((message) => void heard.push(message));
    const old = fakes.get("committer");
    const message = { kind: "settleOnL1", id: 1, blockNumber: 2, blockHash: 0n } as const;
    await threads.restart(() => {
      threads.end("committer").port.send(message);
      old?.tell({ kind: "settledOnL1", id: 0, isDone: true });
      return Promise.resolve();
    });
    const settling = ({ sent }: FakeThread<SentToThread>) =>
      sent.filter(({ kind }) => kind === message.kind);
    expect(old === undefined ? [] : settling(old)).toEqual([]);
    expect(fakes.get("committer")?.sent.map(({ kind }) => kind)).toContain(message.kind);
    expect(heard).toEqual([]);
  });

  test("starts the threads again when the work fails", async () => {
    const { threads, order } = nodeThreads();
    await threads.started;
    expect(await messageOf(threads.restart(() => Promise.reject(new Error("disk"))))).toBe("disk");
    expect(order.at(-1)).toBe("init executor");
  });

  test("completes before the next one starts", async () => {
    const { threads, order } = nodeThreads();
    await threads.started;
    order.length = 0;
    const work = (name: string) => () => Promise.resolve(void order.push(name));
    await Promise.all([threads.restart(work("first")), threads.restart(work("second"))]);
    const phases = order.filter((line) => line.includes("executor") || !line.includes(" "));
    expect(phases).toEqual([
      "stop executor",
      "first",
      "init executor",
      "stop executor",
      "second",
      "init executor",
    ]);
  });

  test("completes before a stop; a queued one is rejected", async () => {
    const { threads, order } = nodeThreads();
    await threads.started;
    const first = threads.restart(() => Promise.resolve());
    await Promise.resolve();
    await Promise.resolve();
    const second = threads.restart(() => Promise.resolve());
    const stopped = threads.stop("terminate");
    expect(await messageOf(second)).toContain("stopping");
    await first;
    await stopped;
    expect(order.filter((line) => line === "init executor")).toHaveLength(2);
    expect(order.at(-1)?.startsWith("stop")).toBe(true);
  });
});
