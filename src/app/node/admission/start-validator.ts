import { invariant } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { PendingFeed, ValidatorService } from "#services/admission/index.ts";
import { impersonationOf } from "../setup/impersonation.ts";
import { submissionChainOf } from "../fork/submission-chain.ts";
import { Pulse } from "../threads/health/pulse.ts";
import { openChain } from "../storage/folder/open-chain.ts";
import { chainIdFelt, freeRulesOf, statelessLimits } from "../setup/setup.ts";
import { atTurnEnd, batchedPort } from "../threads/batched-port.ts";
import { fail, type WorkerContext, type WorkerService } from "../threads/runtime.ts";
import { prepareStatements } from "../threads/warm-up/prepare-statements.ts";
import { openValidator } from "./open-validator.ts";

/**
 * Opens the chain, creates the machine of a validator thread, and starts its service.
 *
 * @throws {StorageError} when a file cannot be opened
 */
export async function startValidator(context: WorkerContext<"validator">): Promise<WorkerService> {
  const { setup, index } = context;
  const journal = setup.files.validatorJournals[index];
  invariant(journal !== undefined, "a validator has a journal");
  const { chain: stored, statements, close } = await openChain(setup);
  const pulse = new Pulse(context.pulse);
  const { chain, missing, started } = submissionChainOf(stored, {
    setup,
    connect: () => context.connect("fork"),
    cancelFlag: context.cancelFlag,
    beat: () => pulse.beat(),
  });
  const feed = new PendingFeed(chain, SYSTEM_TIMER);
  // There are several validators: permits allow one thread at a time more memory than a small run needs.
  const validator = openValidator({ ...context, chain, feed, journal });
  context.connect("executor").listen((message) => feed.delta(message));
  context.connect("committer").listen((message) => feed.accepted(message));
  const service = new ValidatorService({
    ports: {
      main: batchedPort(context.main, atTurnEnd),
      admission: batchedPort(context.connect("admission"), atTurnEnd),
    },
    feed,
    chainId: chainIdFelt(setup.config),
    limits: statelessLimits(setup),
    maxNonceForValidationSkip: setup.config.maxNonceForValidationSkip,
    free: freeRulesOf(setup),
    overlay: () => feed.current(),
    isImpersonatedAccount: impersonationOf(setup),
    validate: validator.validate,
    missing,
    timer: SYSTEM_TIMER,
    nowMs: Date.now,
    fail,
  });
  started();
  service.start();
  // Deferred, so that the node's start does not wait for it.
  const cancelWarmUp = SYSTEM_TIMER.after(0, () => validator.warmUp());
  const preparing = prepareStatements(setup, [statements], SYSTEM_TIMER);
  return {
    forget: () => undefined,
    probe: () => undefined,
    stop() {
      preparing.stop();
      cancelWarmUp();
      service.stop();
      validator.close();
      close();
    },
  };
}
