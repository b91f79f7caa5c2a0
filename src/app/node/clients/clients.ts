import type { RpcObserver } from "#api/rpc/index.ts";
import type { Logger, NodeMetrics } from "#base/telemetry/index.ts";
import { casmHashFunctionOf } from "#protocol/chain/index.ts";
import { DeclareService } from "#services/admission/index.ts";
import { AdmissionClient } from "../admission/admission-client.ts";
import type { ChainView } from "../chain/chain-view.ts";
import { DEADLINE_MS } from "../query/query-job.ts";
import { WorkerQueryPool } from "../query/query-pool.ts";
import type { QueryThread } from "../query/query-slot.ts";
import { RejectionReport } from "../reports/rejection-report.ts";
import type { NodeCompiler } from "../compiler/start-class-compiler.ts";
import { type NodeSetup, statelessLimits } from "../setup/setup.ts";
import type { PortBetween } from "../threads/protocol.ts";

/** How long requests under way may go on when the node stops. */
export const REQUEST_GRACE_MS = 800;

/** What asks other threads for work: those of queries, that of admission, and that of classes. */
export interface Clients {
  readonly queryPool: WorkerQueryPool;
  readonly admission: AdmissionClient;
  readonly declares: DeclareService;
}

/** What the clients work with. */
export interface ClientsDeps {
  readonly setup: NodeSetup;
  readonly threads: {
    readonly admission: { readonly port: PortBetween<"main", "admission"> };
    readonly queries: readonly QueryThread[];
  };
  readonly view: ChainView;
  readonly compiler: Pick<NodeCompiler, "service">;
  readonly observer: RpcObserver;
  readonly metrics: NodeMetrics;
  readonly log: Logger;
  /** A query that runs longer is stopped, one that waits longer refused. */
  readonly queryTimeoutMs?: number;
  /** Gets what logs the last rejections. */
  readonly parts: AsyncDisposableStack;
}

/**
 * Makes the clients of the query threads and of admission, which has its long validations done
 * there.
 */
export function createClients({
  setup,
  threads,
  view,
  compiler,
  observer,
  metrics,
  log,
  queryTimeoutMs,
  parts,
}: ClientsDeps): Clients {
  const rejections = new RejectionReport({
    log,
    count: (code) => metrics.mempoolRejected.labels(code).inc(),
  });
  parts.defer(() => rejections.flush());
  const queryPool = new WorkerQueryPool({
    threads: threads.queries,
    observer,
    view: view.feed,
    compile: (request) => compiler.service.compile(request),
    classHashAt: (address) => view.classHashAt(address),
    deadlineMs: queryTimeoutMs ?? DEADLINE_MS,
  });
  const admission = new AdmissionClient(threads.admission.port, view.feed, {
    validateSlowly: (bytes, senderIsToBeDeployed) =>
      queryPool.validate(bytes, { senderIsToBeDeployed, codeSize: 0 }, true),
    hasAccount: (address) => view.hasAccount(address),
    onSize: (waiting) => metrics.mempoolTransactions.set(waiting),
    onRefused: (code) => metrics.mempoolRefused.labels(code).inc(),
    onRejected(rejected) {
      rejections.add(rejected);
      for (const { hash, reason } of rejected) view.live.rejected(hash, reason);
    },
    onHanded: (candidates) => view.live.candidates(candidates),
  });
  view.live.onInterest((wantsCandidates) => admission.watch(wantsCandidates));
  const declares = new DeclareService({
    limits: statelessLimits(setup),
    prepare: (bytes) => queryPool.prepare(bytes),
    judge: (...declaration) => admission.judge(...declaration),
    compiler: compiler.service,
    validate: (bytes, codeSize) =>
      queryPool.validate(bytes, { senderIsToBeDeployed: false, codeSize }, false),
    submit: (...declaration) => admission.submitDeclared(...declaration),
    hashFunction: casmHashFunctionOf(setup.config.latestProtocolVersion),
    hasAccount: (address) => view.hasAccount(address),
    onRefused: (code) => metrics.mempoolRefused.labels(code).inc(),
    nowMs: () => performance.now(),
  });
  return { queryPool, admission, declares };
}

/**
 * Ends requests in order: what waits is answered that the node is stopping; what runs has
 * {@link REQUEST_GRACE_MS}, then queries are cancelled.
 */
export function stopRequests(
  {
    queryPool,
    admission,
    declares,
  }: {
    readonly queryPool: Pick<WorkerQueryPool, "stop" | "cancel">;
    readonly admission: Pick<AdmissionClient, "stop">;
    readonly declares: Pick<DeclareService, "stop">;
  },
  server: { stop(graceMs: number, onGraceOver: () => void): Promise<void> },
): Promise<void> {
  queryPool.stop();
  admission.stop();
  declares.stop();
  return server.stop(REQUEST_GRACE_MS, () => queryPool.cancel());
}
