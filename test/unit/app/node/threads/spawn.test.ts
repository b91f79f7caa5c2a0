import { describe, expect, test } from "bun:test";
import { createPulsePage, Pulse } from "#app/node/threads/health/pulse.ts";
import type { Batch } from "#app/node/threads/batched-port.ts";
import type { ToAdmission } from "#services/admission/index.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { positionAt } from "#engine/state/index.ts";
import type { WorkerInit } from "#app/node/threads/protocol.ts";
import {
  createThread,
  startWorker,
  stopWorker,
  type WorkerHandle,
} from "#app/node/threads/spawn.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { fakeThread } from "#test/helpers/fake-thread.ts";

/** Returns the message of a promise that must reject. */
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "nothing was thrown",
    (error: Error) => error.message,
  );

const START_TIMEOUT_MS = 30_000;

/** The runtime's worker, played by the test. */
class FakeWorker implements WorkerHandle {
  readonly posted: unknown[] = [];
  isTerminated = false;
  isReferenced = true;
  readonly #listeners: { readonly type: string; readonly listener: (event: never) => void }[] = [];

  postMessage(message: unknown): void {
    this.posted.push(message);
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.push({ type, listener });
  }

  terminate(): void {
    this.isTerminated = true;
  }

  unref(): void {
    this.isReferenced = false;
  }

  emit(type: string, event: unknown = {}): void {
    for (const each of this.#listeners) if (each.type === type) each.listener(event as never);
  }
}

/** @param load - share of a processor that the process uses */
function thread(load = 0) {
  const worker = new FakeWorker();
  const deaths: string[] = [];
  const timer = new FakeTimer();
  const onDeath = ({ message }: Error) => deaths.push(message);
  const created = createThread<"admission">(worker, "admission", onDeath, {
    startTimeoutMs: START_TIMEOUT_MS,
    processorMs: () => timer.nowMs() * load,
    timer,
  });
  return { worker, deaths, timer, thread: created };
}

const READY = { data: { kind: "ready" } };

describe("a thread", () => {
  test("receives messages sent while it loads, in order, once it is ready", () => {
    const { worker, thread: loading } = thread();
    const find = (id: number): Batch<ToAdmission> => ({
      kind: "batch",
      messages: [{ kind: "find", id, hash: 1n, position: positionAt(0) }],
    });
    loading.command({ kind: "stop" });
    loading.port.send(find(1));
    expect(worker.posted).toEqual([]);
    worker.emit("message", READY);
    loading.port.send(find(2));
    expect(worker.posted).toEqual([{ kind: "stop" }, find(1), find(2)]);
  });

  test("delivers only its service's messages on the port, including earlier ones", () => {
    const { worker, thread: talking } = thread();
    const size = (waiting: number) => ({ kind: "mempoolSize", waiting, position: positionAt(0) });
    const [heard, reports]: [unknown[], unknown[]] = [[], []];
    worker.emit("message", READY);
    talking.onReport((report) => reports.push(report));
    worker.emit("message", { data: size(1) });
    worker.emit("message", { data: { kind: "started" } });
    talking.port.listen((message) => heard.push(message));
    worker.emit("message", { data: size(2) });
    expect(heard).toEqual([size(1), size(2)]);
    expect(reports).toEqual([{ kind: "started" }]);
  });

  test("reports its death once, with name and reason", async () => {
    const { worker, deaths, thread: dying } = thread();
    worker.emit("error", { message: "out of memory" });
    worker.emit("close");
    expect(deaths).toEqual(["the admission thread failed: out of memory"]);
    expect(await dying.ended).toBe("out of memory");
  });

  test("counts as dead if it ends by itself", () => {
    const { worker, deaths } = thread();
    worker.emit("message", READY);
    worker.emit("close");
    expect(deaths).toEqual(["the admission thread failed: it ended"]);
  });

  test("counts as dead if it does not load while the process is idle", () => {
    const late = thread();
    late.timer.advance(START_TIMEOUT_MS - 1);
    expect(late.deaths).toEqual([]);
    late.timer.advance(1);
    expect(late.deaths).toEqual([
      "the admission thread failed: it did not load for 30 s: its disk hangs, or the machine is overloaded; --start-timeout sets this time",
    ]);
    const busy = thread(0.1);
    busy.timer.advance(10 * START_TIMEOUT_MS);
    expect(busy.deaths).toEqual([]);
    const quick = thread();
    quick.worker.emit("message", READY);
    quick.timer.advance(START_TIMEOUT_MS);
    expect(quick.deaths).toEqual([]);
  });

  test("does not count as dead when terminated, and is awaited until it is gone", async () => {
    const { worker, deaths, thread: ending } = thread();
    let isGone = false;
    const gone = ending.terminate().then(() => (isGone = true));
    await Promise.resolve();
    expect([worker.isTerminated, isGone]).toEqual([true, false]);
    worker.emit("close");
    await gone;
    expect(deaths).toEqual([]);
  });

  test("does not count as dead when released, and no longer keeps the process alive", () => {
    const { worker, deaths, thread: finished } = thread();
    finished.release();
    worker.emit("close");
    expect(deaths).toEqual([]);
    expect([worker.isReferenced, worker.isTerminated]).toEqual([false, false]);
  });

  test("is not awaited for long if it cannot be interrupted", async () => {
    const { timer, thread: stuck } = thread();
    const gone = stuck.terminate();
    timer.advance(300);
    expect(await gone).toBeUndefined();
  });
});

const INIT: WorkerInit = {
  setup: { startTimeoutMs: START_TIMEOUT_MS } as NodeSetup,
  index: 0,
  ports: {},
  growth: null,
  cancelFlag: new SharedArrayBuffer(4),
  memoryPermits: new SharedArrayBuffer(4),
  retainedMemory: new SharedArrayBuffer(4),
  pulse: createPulsePage(),
};

describe("starting a thread", () => {
  const init = INIT;

  test("sends the setup and resolves when the thread has started", async () => {
    const fake = fakeThread<{ kind: string }>("executor", () => ({ kind: "started" }));
    await startWorker(fake.thread, init, new FakeTimer());
    expect(fake.sent.map(({ kind }) => kind)).toEqual(["init"]);
  });

  test("fails with the thread's own message", async () => {
    const fake = fakeThread("executor", () => ({ kind: "failed", reason: "no database" }));
    const started = startWorker(fake.thread, init, new FakeTimer());
    expect(await messageOf(started)).toContain("executor: no database");
  });

  test("fails immediately when the thread dies", async () => {
    const fake = fakeThread("executor");
    const started = startWorker(fake.thread, init, new FakeTimer());
    fake.die("it ended");
    expect(await messageOf(started)).toContain("the executor thread failed: it ended");
  });

  test("fails when the thread is silent, and leaves no alarm behind otherwise", async () => {
    const timer = new FakeTimer();
    const started = startWorker(fakeThread("executor").thread, init, timer);
    timer.advance(START_TIMEOUT_MS);
    expect(await messageOf(started)).toContain(
      "the executor thread made no progress with its start for 30 s",
    );
    const quick = fakeThread("executor", () => ({ kind: "started" }));
    await startWorker(quick.thread, init, timer);
    expect(timer.alarms).toBe(0);
  });
});

describe("a thread that starts", () => {
  const page = createPulsePage();
  const setup = { startTimeoutMs: START_TIMEOUT_MS } as NodeSetup;
  const init = { ...INIT, setup, pulse: page };

  test("has no time limit while its pulse beats, and fails once it is silent", async () => {
    const timer = new FakeTimer();
    const started = messageOf(startWorker(fakeThread("executor").thread, init, timer));
    let ended = false;
    void started.then(() => (ended = true));
    for (let i = 0; i < 10; i++) {
      timer.advance(START_TIMEOUT_MS - 1);
      new Pulse(page).beat();
      await Promise.resolve();
    }
    expect(ended).toBe(false);
    // The watch sees the last beat only at its next look.
    timer.advance(START_TIMEOUT_MS + 1_000);
    expect(await started).toContain("made no progress with its start for 30 s");
  });
});

describe("stopping a thread", () => {
  test("lets the thread finish, then terminates it", async () => {
    const timer = new FakeTimer();
    const fake = fakeThread<{ kind: string }>("executor");
    const stopped = stopWorker(fake.thread, 1_000, timer, "terminate");
    timer.advance(999);
    await Bun.sleep(0);
    expect(fake.isTerminated).toBe(false);
    fake.tell({ kind: "stopped" });
    await stopped;
    expect([fake.sent, fake.isTerminated, timer.alarms]).toEqual([[{ kind: "stop" }], true, 0]);
  });

  test("releases the thread that has finished if the process ends next", async () => {
    const fake = fakeThread("executor");
    const stopped = stopWorker(fake.thread, 1_000, new FakeTimer(), "release");
    fake.tell({ kind: "stopped" });
    await stopped;
    expect([fake.isReleased, fake.isTerminated]).toEqual([true, false]);
  });

  test("terminates the thread if it does not finish in time", async () => {
    const timer = new FakeTimer();
    const fake = fakeThread("executor");
    const stopped = stopWorker(fake.thread, 1_000, timer, "release");
    timer.advance(1_000);
    await stopped;
    expect(fake.isTerminated).toBe(true);
  });

  test("does not wait for a thread that has died already", async () => {
    const fake = fakeThread("executor");
    fake.die("out of memory");
    await stopWorker(fake.thread, 1_000, new FakeTimer(), "release");
    expect(fake.isTerminated).toBe(true);
  });
});
