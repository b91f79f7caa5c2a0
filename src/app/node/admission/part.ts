/**
 * Admission: validates submissions and keeps the mempool.
 *
 * - Options: `admissionThreads`, and those of the setup that limit transactions.
 * - Threads: `admission` and `validator` (`NAME.thread.ts` here).
 * - Needs: ports of its threads, query threads for long validations, the class compiler.
 * - Offers: {@link Admission}: submissions of transactions and declarations, the mempool's contents.
 * - Metrics: mempool size, refusals and rejections.
 * - Ready: immediately; submissions wait while its threads restart.
 * - Stops: by its owner, `production`, with the answer that the node is stopping.
 */
import { casmHashFunctionOf } from "#protocol/chain/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import {
  areFree,
  type ClassCompiler,
  DeclareService,
  type PostponedChange,
  type PreparedDeclaration,
  type ReportedRejection,
  type SlowValidation,
  type SlowValidationMetadata,
  type StatelessLimits,
} from "#services/admission/index.ts";
import { freeRulesOf, type NodeSetup, statelessLimits } from "../setup/setup.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import { inclusionOf } from "../storage/chain/inclusion.ts";
import { type AtTurnEnd, batchedPort } from "../threads/batched-port.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { AdmissionClient } from "./admission-client.ts";

/** Long work of admission, done on query threads. `undefined`: they are stopping or full. */
export interface LongAdmissionWork {
  /** Validates an encoded transaction. @param isLong - whether its validation is known to be long */
  validate(
    bytes: Uint8Array,
    metadata: SlowValidationMetadata,
    isLong: boolean,
  ): Promise<SlowValidation | undefined>;
  /** Hashes and validates an encoded declaration. */
  prepare(bytes: Uint8Array): Promise<PreparedDeclaration | undefined>;
}

/** Other parts of the node that {@link openAdmission} uses. */
export interface AdmissionNeeds {
  readonly setup: NodeSetup;
  readonly threads: Pick<NodeThreads, "end" | "validators">;
  readonly queryPool: LongAdmissionWork;
  readonly view: ChainView;
  readonly compiler: { readonly service: ClassCompiler };
  /** Logs and counts rejected transactions. */
  readonly rejections: { add(rejected: readonly ReportedRejection[]): void };
  /** Logs transactions that wait for a fork's origin. */
  readonly postponed: { note(change: PostponedChange): void };
  readonly metrics: NodeMetrics;
  /** Schedules the flush of messages to the threads. */
  readonly atTurnEnd: AtTurnEnd;
}

/**
 * What the main thread uses of admission: a client of the admission thread, and the service that compiles and
 * submits declarations.
 */
export interface Admission {
  readonly client: AdmissionClient;
  readonly declarations: DeclareService;
}

/** Opens admission on the main thread, for one role. */
export function openAdmission(needs: AdmissionNeeds): Admission {
  const client = openClient(needs);
  return { client, declarations: openDeclarations(needs, client) };
}

function openClient(needs: AdmissionNeeds): AdmissionClient {
  const { threads, queryPool, view, rejections, postponed, metrics, atTurnEnd } = needs;
  const ends = {
    admission: batchedPort(threads.end("admission").port, atTurnEnd),
    validators: threads.validators.map(({ port }) => batchedPort(port, atTurnEnd)),
  };
  const client = new AdmissionClient(ends, view.feed, {
    validateSlowly: (bytes, isSenderUndeployed) =>
      queryPool.validate(bytes, { isSenderUndeployed, codeSize: 0 }, true),
    hasAccount: (address) => view.hasAccount(address),
    onSize: (waiting) => metrics.mempoolTransactions.set(waiting),
    onRefused: (code) => metrics.mempoolRefused.labels(code).inc(),
    onPostponed: (change) => postponed.note(change),
    onRejected(rejected) {
      rejections.add(rejected);
      for (const { hash, reason } of rejected) view.live.rejected(hash, reason);
    },
    onDispatched: (candidates) => view.live.candidates(candidates),
  });
  view.live.onInterest((wantsUnexecuted) => client.watch(wantsUnexecuted));
  return client;
}

/** Limits that refuse free declarations early, before their classes are hashed, once nothing is free. */
function limitsNow(setup: NodeSetup, { feed }: Pick<ChainView, "feed">): StatelessLimits {
  const limits = statelessLimits(setup);
  const rules = freeRulesOf(setup);
  if (rules === null || !limits.takesFree) return limits;
  return { ...limits, takesFree: areFree(rules, feed.current().state()) };
}

function openDeclarations(
  { setup, queryPool, view, compiler, metrics }: AdmissionNeeds,
  client: AdmissionClient,
): DeclareService {
  return new DeclareService({
    limits: () => limitsNow(setup, view),
    prepare: (bytes) => queryPool.prepare(bytes),
    judge: (...declaration) => client.judge(...declaration),
    compiler: compiler.service,
    validate: (bytes, codeSize) =>
      queryPool.validate(bytes, { isSenderUndeployed: false, codeSize }, false),
    submit: (...declaration) => client.submitDeclared(...declaration),
    hashFunction: casmHashFunctionOf(setup.config.latestProtocolVersion),
    isIncluded: (hash) => inclusionOf(view, hash) !== undefined,
    hasAccount: (address) => view.hasAccount(address),
    onRefused: (code) => metrics.mempoolRefused.labels(code).inc(),
    nowMs: () => performance.now(),
  });
}
