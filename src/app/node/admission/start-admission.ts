import { existsSync } from "node:fs";
import {
  AdmissionService,
  areFree,
  countBootstrapDeclares,
  type CrashRecord,
  PendingFeed,
} from "#services/admission/index.ts";
import { clearExecutionRecord, openMempoolStore, readExecutionRecord } from "#io/storage/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { impersonationOf } from "../setup/impersonation.ts";
import { Pulse } from "../threads/health/pulse.ts";
import { submissionChainOf } from "../fork/submission-chain.ts";
import { openChain } from "../storage/folder/open-chain.ts";
import { chainIdFelt, freeRulesOf, mempoolLimits, statelessLimits } from "../setup/setup.ts";
import { atTurnEnd, batchedPort } from "../threads/batched-port.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";
import { prepareStatements } from "../threads/warm-up/prepare-statements.ts";
import { openValidator } from "./open-validator.ts";

/**
 * Opens admission's files, restores the mempool from the last run, and starts admission.
 *
 * @throws {StorageError} when a file cannot be opened or read
 */
export async function startAdmission(context: WorkerContext<"admission">): Promise<WorkerService> {
  const { setup } = context;
  const { config, files } = setup;
  const pulse = new Pulse(context.pulse);
  const store = await openMempoolStore(files.mempoolDatabase, config.chainId);
  const { chain: stored, statements, close } = await openChain(setup);
  const { chain, missing, started } = submissionChainOf(stored, {
    setup,
    connect: () => context.connect("fork"),
    cancelFlag: context.cancelFlag,
    beat: () => pulse.beat(),
  });
  const feed = new PendingFeed(chain, SYSTEM_TIMER);
  const validator = openValidator({
    ...context,
    chain,
    feed,
    memoryPermits: null,
    journal: files.validationJournal,
  });
  pulse.beat();
  validator.warmUp();
  const free = freeRulesOf(setup);
  const service = new AdmissionService({
    ports: {
      main: batchedPort(context.main, atTurnEnd),
      executor: context.connect("executor"),
      committer: context.connect("committer"),
      validators: context.connectValidators().map((port) => batchedPort(port, atTurnEnd)),
    },
    chainId: chainIdFelt(config),
    limits: statelessLimits(setup),
    maxNonceForValidationSkip: config.maxNonceForValidationSkip,
    mempoolLimits: mempoolLimits(config),
    rejectionTtlMs: config.mempoolRejectionTtlMs,
    chain: {
      locate(hash) {
        // Restoring a long mempool locates each of its transactions: each is a sign of progress.
        pulse.beat();
        // Transactions of a fork's origin have used their nonces.
        return stored.locate(hash);
      },
    },
    store,
    executesBeforeSync: setup.devnet !== null,
    feed,
    free,
    bootstrapDeclares:
      free !== null && areFree(free, feed.current().state()) ? countBootstrapDeclares(stored) : 0,
    isImpersonatedAccount: impersonationOf(setup),
    validate: validator.validate,
    missing,
    timer: SYSTEM_TIMER,
    unixNowMs: Date.now,
    fail,
  });
  await service.start({
    executed: crashRecord(files.executionJournal),
    committed: crashRecord(files.commitJournal),
    validated: [files.validationJournal, ...files.validatorJournals.filter(existsSync)].map(
      crashRecord,
    ),
  });
  started();
  const preparing = prepareStatements(setup, [store, statements], SYSTEM_TIMER);
  return {
    forget: () => undefined,
    probe: () => undefined,
    async stop() {
      preparing.stop();
      await service.stop();
      // Batched messages are sent at the end of this turn.
      await new Promise<void>(atTurnEnd);
      validator.close();
      store.close();
      close();
    },
  };
}

function crashRecord(path: string): CrashRecord {
  return { read: () => readExecutionRecord(path), clear: () => clearExecutionRecord(path) };
}
