import { afterEach, expect, test } from "bun:test";
import { createPulsePage, Pulse, PULSE_MS } from "#app/node/threads/health/pulse.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import type { Port } from "#base/primitives/index.ts";
import { batchedPort } from "#app/node/threads/batched-port.ts";
import { connectThreads } from "#app/node/threads/connect.ts";
import type { WorkerReport } from "#app/node/threads/protocol.ts";
import type { FromAdmission, ToAdmission } from "#services/admission/index.ts";
import {
  createThread,
  startWorker,
  stopWorker,
  type WorkerHandle,
  type WorkerThread,
} from "#app/node/threads/spawn.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";

const threads: WorkerThread<"admission">[] = [];

afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.terminate();
});

/** A real thread that plays admission; see its file. */
function echo() {
  const url = new URL("../../../../helpers/echo.thread.ts", import.meta.url).href;
  const thread = createThread<"admission">(
    new Worker(url) as unknown as WorkerHandle,
    "admission",
    () => undefined,
    { startTimeoutMs: 30_000, processorMs: () => 0, timer: SYSTEM_TIMER },
  );
  threads.push(thread);
  const ports = connectThreads(
    ["admission", "executor", "committer"],
    [
      ["admission", "executor"],
      ["committer", "admission"],
    ],
  );
  // The query threads receive nothing; it only matters that they are found.
  const queries = { "query-0": new MessageChannel().port1, "query-1": new MessageChannel().port1 };
  const port = batchedPort(thread.port, (flush) => flush());
  const reports: WorkerReport[] = [];
  thread.onReport((report) => reports.push(report));
  const pulse = createPulsePage();
  const cancelFlag = new SharedArrayBuffer(4);
  const start = (): Promise<void> =>
    startWorker(
      thread,
      {
        setup: { startTimeoutMs: 30_000 } as NodeSetup,
        index: 0,
        ports: { ...ports.get("admission"), ...queries },
        growth: null,
        cancelFlag,
        memoryPermits: new SharedArrayBuffer(4),
        retainedMemory: new SharedArrayBuffer(4),
        pulse,
      },
      SYSTEM_TIMER,
    );
  const executorEnd = ports.get("executor")?.admission;
  const flag = new Int32Array(cancelFlag);
  return { thread, port, reports, start, executorEnd, pulse: new Pulse(pulse), flag };
}

const ask = (kind: "find" | "rejection", id: number): ToAdmission => ({
  kind,
  id,
  hash: 1n,
  position: { accepted: id, blockNumber: id, sequence: 0, generation: 0 },
});

/** Resolves with the thread's messages to the main thread once there are `count`. */
function heard(port: Port<FromAdmission, ToAdmission>, count: number): Promise<FromAdmission[]> {
  return new Promise((resolve) => {
    const messages: FromAdmission[] = [];
    port.listen((message) => {
      messages.push(message);
      if (messages.length === count) resolve(messages);
    });
  });
}

test("a thread receives messages posted before it listened, in order", async () => {
  const { port, start } = echo();
  const answers = heard(port, 3);
  const started = start();
  for (const id of [1, 2]) port.send(ask("find", id));
  await started;
  port.send(ask("find", 3));
  const positions = (await answers).map(({ position }) => position.accepted);
  expect(positions).toEqual([1, 2, 3]);
});

test("two threads use their own channel, also before one of them listens", async () => {
  const { executorEnd, start } = echo();
  const answer = new Promise((resolve) => {
    if (executorEnd !== undefined) executorEnd.onmessage = ({ data }) => resolve(data);
  });
  executorEnd?.postMessage({ kind: "take", max: 1 });
  await start();
  expect(await answer).toEqual({ kind: "wake", coming: 0 });
});

test("reports an error thrown by a handler", async () => {
  const { thread, port, reports, start } = echo();
  await start();
  const failed = new Promise<void>((resolve) => {
    thread.onReport(({ kind }) => kind === "failed" && resolve());
  });
  port.send(ask("rejection", 1));
  await failed;
  expect(reports.map(({ kind }) => kind)).toEqual(["started", "failed"]);
  expect(JSON.stringify(reports)).toContain("no such thing");
});

test("a thread beats before it has started, so that a slow start is not silence", async () => {
  const { start, pulse, flag } = echo();
  Atomics.store(flag, 0, 2);
  let isStarted = false;
  const started = start().then(() => (isStarted = true));
  // The first beat comes with the setup, further ones while the thread receives messages.
  while (pulse.count < 2) await Bun.sleep(5);
  expect(isStarted).toBe(false);
  Atomics.store(flag, 0, 0);
  expect(await started).toBe(true);
});

test("a thread releases memory when it is idle after work", async () => {
  const { port, start } = echo();
  const messages = heard(port, 2);
  await start();
  const startMs = performance.now();
  port.send(ask("find", 1_600));
  expect(await messages).toMatchObject([{ kind: "rejectionFound" }, { kind: "mempoolSize" }]);
  expect(performance.now() - startMs).toBeGreaterThan(4_000);
}, 60_000);

test("a thread finds the query threads, and finishes its current work before it stops", async () => {
  const { thread, port, reports, start } = echo();
  const messages = heard(port, 1);
  await start();
  await stopWorker(thread, 5_000, SYSTEM_TIMER, "terminate");
  expect(reports.map(({ kind }) => kind)).toEqual(["started", "stopped"]);
  expect(await messages).toMatchObject([{ kind: "mempoolSize", waiting: 2 }]);
});

test("a thread beats while idle, and stops beating once its disk hangs", async () => {
  const { start, pulse, flag } = echo();
  await start();
  const beaten = async (): Promise<void> => {
    const before = pulse.count;
    while (pulse.count === before) await Bun.sleep(20);
  };
  await beaten();
  Atomics.store(flag, 0, 1);
  await Bun.sleep(2 * PULSE_MS);
  const hung = pulse.count;
  await Bun.sleep(2 * PULSE_MS);
  expect(pulse.count).toBe(hung);
  Atomics.store(flag, 0, 0);
  Atomics.notify(flag, 0);
  await beaten();
}, 60_000);
