import { machineSpanBytes } from "../machine/machine-space.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import {
  AdmissionService,
  areFree,
  countBootstrapDeclares,
  type CrashRecord,
  ExecutionGuard,
  PendingFeed,
  QuickValidator,
  TimeBudget,
  ValidationBlock,
} from "#services/admission/index.ts";
import {
  clearExecutionRecord,
  ExecutionJournal,
  openMempoolStore,
  readExecutionRecord,
} from "#io/storage/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { impersonatesOf } from "../chain/impersonation.ts";
import { nextBlockInfo, unixNowMs } from "../chain/environment.ts";
import { openChain } from "../folder/open-chain.ts";
import {
  chainIdFelt,
  contextFor,
  freeRulesOf,
  mempoolLimits,
  statelessLimits,
} from "../setup/setup.ts";
import { atTurnEnd, batchedPort } from "../threads/batched-port.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";
import { warmUp } from "../machine/warm-up.ts";

/**
 * Opens what admission needs, restores what was received before the last stop, and starts
 * admission.
 *
 * @throws {StorageError} when a file cannot be opened or read
 */
export async function startAdmission(context: WorkerContext<"admission">): Promise<WorkerService> {
  const { setup } = context;
  const { config, files, chargeFees } = setup;
  const store = await openMempoolStore(files.mempoolDatabase, config.chainId);
  const { chain, close } = await openChain(setup);
  const feed = new PendingFeed(chain, SYSTEM_TIMER);
  const budget = new TimeBudget(SYSTEM_TIMER.nowMs);
  const vm = createCairoVm({
    cancelFlag: new Int32Array(context.cancelFlag),
    isOver: () => budget.isOver,
    maxMemoryBytes: setup.executionMemoryBytes,
    maxSpanBytes: machineSpanBytes(),
    keptMemory: new Int32Array(context.keptMemory),
  });
  const nextInfo = (nowMs: number) => nextBlockInfo(setup, chain, nowMs);
  warmUp(setup, vm, feed.current().state(), nextInfo(unixNowMs(setup)));
  const journal = new ExecutionJournal(files.validationJournal);
  const validator = new QuickValidator({
    vm,
    budget,
    guard: new ExecutionGuard(journal),
    block: new ValidationBlock({ nextBlockInfo: nextInfo, nowMs: () => unixNowMs(setup) }),
    contextOf: (info) => contextFor(setup, info),
    chargeFees,
  });
  const free = freeRulesOf(setup);
  const service = new AdmissionService({
    ports: {
      main: batchedPort(context.main, atTurnEnd),
      executor: context.connect("executor"),
      committer: context.connect("committer"),
    },
    chainId: chainIdFelt(config),
    limits: statelessLimits(setup),
    maxNonceForValidationSkip: config.maxNonceForValidationSkip,
    mempoolLimits: mempoolLimits(config),
    rejectionTtlMs: config.mempoolRejectionTtlMs,
    chain,
    store,
    feed,
    free,
    bootstrapDeclares:
      free !== null && areFree(free, feed.current().state()) ? countBootstrapDeclares(chain) : 0,
    impersonates: impersonatesOf(setup),
    validate: (...submission) => validator.validate(...submission),
    timer: SYSTEM_TIMER,
    unixNowMs: Date.now,
    fail,
  });
  await service.start({
    executed: crashRecord(files.executionJournal),
    committed: crashRecord(files.commitJournal),
    validated: crashRecord(files.validationJournal),
  });
  return {
    async stop() {
      await service.stop();
      // What it has answered last goes at the end of this turn.
      await new Promise<void>(atTurnEnd);
      journal.close();
      store.close();
      close();
    },
  };
}

function crashRecord(path: string): CrashRecord {
  return { read: () => readExecutionRecord(path), clear: () => clearExecutionRecord(path) };
}
