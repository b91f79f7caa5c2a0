import type { TransactionSubmitter } from "#api/rpc/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import { casmHashFunctionOf } from "#protocol/chain/index.ts";
import { areFree, DeclareService, type StatelessLimits } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import { AdmissionClient, INTERRUPTED } from "../admission/admission-client.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { Growth } from "../threads/growth.ts";
import type { NodeCompiler } from "../compiler/start-class-compiler.ts";
import type { FollowedL1 } from "../threads/roles/followed-l1.ts";
import { RemoteThreads } from "./remote-threads.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { GateReport } from "./reports/gate-report.ts";
import type { RejectionReport } from "./reports/rejection-report.ts";
import { freeRulesOf, type NodeSetup, statelessLimits } from "../setup/setup.ts";
import { type AtTurnEnd, batchedPort } from "../threads/batched-port.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { inclusionOf } from "../storage/chain/inclusion.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";

/** Dependencies of {@link Production}. */
export interface ProductionDeps {
  readonly setup: NodeSetup;
  /** Main thread's ports. */
  readonly threads: Pick<NodeThreads, "end" | "validators">;
  /** Runs long validations, and the preparation of declarations. */
  readonly queryPool: WorkerQueryPool;
  readonly view: ChainView;
  readonly compiler: Pick<NodeCompiler, "service">;
  readonly rejections: RejectionReport;
  readonly metrics: NodeMetrics;
  /** Collects the events of the publish gate. */
  readonly gate: GateReport;
  /** Counts a visible block. */
  readonly accepted: (block: AcceptedMessage) => void;
  /** Reports a jump of the wall clock, in milliseconds. */
  readonly clockJumped: (byMs: number) => void;
  /** Schedules the flush of messages to admission. */
  readonly atTurnEnd: AtTurnEnd;
  /** Follows L1 for a block producer. */
  readonly followL1: (remote: RemoteThreads) => FollowedL1;
}

/**
 * Main thread's part of a role that produces blocks: its connections to admission, executor and committer.
 */
export class Production implements RoleServices {
  readonly admission: AdmissionClient;
  readonly remote: RemoteThreads;
  readonly l1: FollowedL1;
  readonly growth: Growth;
  readonly submit: TransactionSubmitter;
  readonly #declares: DeclareService;
  readonly #accepted: (block: AcceptedMessage) => void;
  readonly #gate: GateReport;

  constructor(deps: ProductionDeps) {
    const admission = admissionClient(deps);
    const declares = declareService(deps, admission);
    this.admission = admission;
    this.#declares = declares;
    const { threads, setup, gate } = deps;
    this.#gate = gate;
    this.#accepted = (block) => {
      deps.accepted(block);
      if (setup.gate !== null) gate.published();
    };
    this.remote = new RemoteThreads({
      executor: threads.end("executor"),
      committer: threads.end("committer"),
    });
    this.remote.onClockJump(deps.clockJumped);
    this.growth = this.remote.sources();
    this.remote.onGate((message) => gate.tell(message));
    this.remote.onInterrupt(() => gate.forget());
    this.l1 = deps.followL1(this.remote);
    this.submit = {
      submit: (...sent) => admission.submit(...sent),
      declare: (declaration, { address }) => declares.declare(declaration, address),
    };
  }

  get mempool(): AdmissionClient {
    return this.admission;
  }

  accepted(block: AcceptedMessage): void {
    this.#accepted(block);
  }

  /** A producer follows no gateway. */
  syncStatus(): false {
    return false;
  }

  /** As {@link syncStatus}. */
  following(): null {
    return null;
  }

  alarm(): string | undefined {
    return this.#gate.alarm();
  }

  hold(): void {
    this.admission.hold();
  }

  interrupt(): void {
    this.admission.interrupt();
    this.remote.interrupt();
  }

  release(): void {
    this.admission.release();
  }

  close(): void {
    this.l1.stop();
    this.remote.interrupt();
    this.admission.close();
    this.#declares.stop(INTERRUPTED);
  }

  stop(): void {
    this.l1.stop();
    this.remote.stop();
    this.admission.stop();
    this.#declares.stop();
  }
}

function admissionClient(deps: ProductionDeps): AdmissionClient {
  const { threads, queryPool, view, rejections, metrics } = deps;
  const { atTurnEnd } = deps;
  const ends = {
    admission: batchedPort(threads.end("admission").port, atTurnEnd),
    validators: threads.validators.map(({ port }) => batchedPort(port, atTurnEnd)),
  };
  const admission = new AdmissionClient(ends, view.feed, {
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
  view.live.onInterest((wantsUnexecuted) => admission.watch(wantsUnexecuted));
  return admission;
}

/** Limits that refuse free declarations early, before their classes are hashed, once nothing is free. */
function limitsNow(setup: NodeSetup, { feed }: Pick<ChainView, "feed">): StatelessLimits {
  const limits = statelessLimits(setup);
  const rules = freeRulesOf(setup);
  if (rules === null || !limits.takesFree) return limits;
  return { ...limits, takesFree: areFree(rules, feed.current().state()) };
}

function declareService(
  { setup, queryPool, view, compiler, metrics }: ProductionDeps,
  admission: AdmissionClient,
): DeclareService {
  return new DeclareService({
    limits: () => limitsNow(setup, view),
    prepare: (bytes) => queryPool.prepare(bytes),
    judge: (...declaration) => admission.judge(...declaration),
    compiler: compiler.service,
    validate: (bytes, codeSize) =>
      queryPool.validate(bytes, { senderIsToBeDeployed: false, codeSize }, false),
    submit: (...declaration) => admission.submitDeclared(...declaration),
    hashFunction: casmHashFunctionOf(setup.config.latestProtocolVersion),
    isIncluded: (hash) => inclusionOf(view, hash) !== undefined,
    hasAccount: (address) => view.hasAccount(address),
    onRefused: (code) => metrics.mempoolRefused.labels(code).inc(),
    nowMs: () => performance.now(),
  });
}
