import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { positionAt } from "#engine/state/index.ts";
import type { DeltaMessage, FromAdmission, ToAdmission } from "#services/admission/index.ts";
import type {
  AcceptedMessage,
  ControlReply,
  ControlRequest,
  GateMessage,
  SettledOnL1,
  SettleOnL1,
} from "#services/sequencer/index.ts";
import type { Port } from "#base/primitives/index.ts";
import type { Batch } from "#app/node/threads/batched-port.ts";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import type { FromQuery, ToQuery } from "#app/node/threads/query-messages.ts";
import { L1_NOT_FOLLOWED } from "#app/node/threads/roles/followed-l1.ts";
import { Production } from "#app/node/production/production.ts";
import { NO_FORK } from "#app/node/fork/part.ts";
import { createQueryClient } from "#app/node/query/query-client.ts";
import { PostponedReport } from "#app/node/production/reports/postponed-report.ts";
import { GateReport } from "#app/node/production/reports/gate-report.ts";
import { RejectionReport } from "#app/node/production/reports/rejection-report.ts";
import type { NodeThreads } from "#app/node/threads/node-threads.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { fakePort } from "./fake-port.ts";
import { compilerWorld } from "./fake-compiler.ts";
import { numberedChain } from "./memory-chain.ts";
import { nonceState } from "./mempool-world.ts";
import { FakeTimer } from "./fake-timer.ts";
import { roomyBytes } from "./held-bytes.ts";

/**
 * The main thread's part of block production, with the test at the other ends.
 *
 * @param latestProtocolVersion - of the chain
 * @param publishGate - `null` for a sequencer without a fleet
 */
export function productionWorld(
  latestProtocolVersion = "0.14.4",
  publishGate: NodeSetup["gate"] = null,
) {
  const admission = fakePort<FromAdmission, ToAdmission>();
  const batches: Port<Batch<FromAdmission>, Batch<ToAdmission>> = {
    send: ({ messages }) => messages.forEach((message) => admission.send(message)),
    listen: (handler) =>
      admission.listen((message) => handler({ kind: "batch", messages: [message] })),
  };
  const query = fakePort<FromQuery, ToQuery>();
  const executor = fakePort<DeltaMessage | ControlReply, ControlRequest>();
  const committer = fakePort<AcceptedMessage | GateMessage | SettledOnL1, SettleOnL1>();
  const metrics = createNodeMetrics();
  const lines: string[] = [];
  const timer = new FakeTimer();
  const cancelFlag = new Int32Array(1);
  const observer = {
    started: () => undefined,
    finished: () => undefined,
    internalError: (...error: unknown[]) => void lines.push(error.join(" ")),
  };
  const compiler = compilerWorld(2);
  // A contract's class hash is its address without the last digit.
  const view = ChainView.ofStored(
    numberedChain(3, () => ({ ...nonceState(), classHashAt: (address) => address >> 4n })),
    timer,
  );
  const log = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  const count = (code: string): void => metrics.mempoolRejected.labels(code).inc();
  const rejections = new RejectionReport({ log, count, schedule: () => undefined });
  const queryPool = createQueryClient({
    threads: [{ port: query, cancelFlag }],
    view,
    compiler,
    observer,
    timer,
    timeoutMs: 30_000,
    held: roomyBytes(),
    fork: NO_FORK,
  });
  const ends = { admission: batches, executor, committer };
  const gate = new GateReport({ log, metrics: metrics.replication, timer });
  const production = new Production({
    gate,
    setup: {
      gate: publishGate,
      config: { latestProtocolVersion, customConstants: new Map() } as unknown,
      chargeFees: true,
    } as NodeSetup,
    threads: {
      end: (kind: keyof typeof ends) => ({ port: ends[kind] }),
      validators: [],
    } as unknown as NodeThreads,
    queryPool,
    view,
    compiler,
    rejections,
    postponed: new PostponedReport(log),
    metrics,
    accepted: () => undefined,
    clockJumped: () => undefined,
    atTurnEnd: (callback) => callback(),
    followL1: () => L1_NOT_FOLLOWED,
  });
  const tell = (message: WithoutPosition<FromAdmission>) =>
    admission.tell({ ...message, position: positionAt(3) });
  const metric = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values;
  /** Jobs sent to the query thread. */
  const orders = () =>
    query.sent.flatMap((message) => (message.kind === "begin" ? message.orders : []));
  /** Responds to the last job of the query thread. */
  const answer = (bytes: Uint8Array, processorMs = 1) =>
    query.tell({
      kind: "answers",
      answers: [
        {
          id: orders().at(-1)?.id ?? -1,
          processorMs,
          isCancelled: false,
          position: positionAt(3),
          bytes,
        },
      ],
      notStarted: [],
    });
  const { admission: client, submit } = production;
  return {
    production,
    rejections,
    view,
    timer,
    cancelFlag,
    client,
    declares: submit,
    executor,
    committer,
    queryPool,
    compiler,
    admission,
    orders,
    lines,
    tell,
    answer,
    metric,
  };
}

type WithoutPosition<T> = T extends unknown ? Omit<T, "position"> : never;
