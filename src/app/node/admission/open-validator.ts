import { createCairoVm } from "#engine/cairo/index.ts";
import {
  type AdmissionDeps,
  ExecutionGuard,
  type PendingFeed,
  QuickValidator,
  TimeBudget,
  ValidationBlock,
} from "#services/admission/index.ts";
import { ExecutionJournal, type StoredChainReader } from "#io/storage/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { nextBlockInfo, unixNowMs } from "../setup/environment.ts";
import { machineSpanBytes } from "../threads/health/machine-space.ts";
import { type IdleWork, together } from "../threads/warm-up/idle-turns.ts";
import { prepareUsualClasses } from "../threads/warm-up/usual-classes.ts";
import { warmUp } from "../threads/warm-up/warm-up.ts";
import { warmUpTransfers } from "../threads/warm-up/warm-up-transfers.ts";
import { contextFor, type NodeSetup } from "../setup/setup.ts";

/** What a thread's validations work with. */
export interface OpenValidatorDeps {
  readonly setup: NodeSetup;
  readonly chain: StoredChainReader;
  readonly feed: PendingFeed;
  /** Non-zero ends what runs. */
  readonly cancelFlag: SharedArrayBuffer;
  /** What the machines of all threads keep between their runs. */
  readonly keptMemory: SharedArrayBuffer;
  /** Permits for runs that need much memory; `null`: this thread's machine needs none. */
  readonly memoryPermits: SharedArrayBuffer | null;
  /** Path of the journal that says what this thread validates. */
  readonly journal: string;
}

/** Validations of one thread. */
export interface OpenValidator {
  readonly validate: AdmissionDeps["validate"];
  /** Makes the first validation as fast as the next ones, and goes on with that until there is one. */
  warmUp(): void;
  /** Closes the journal, and ends what warms up. */
  close(): void;
}

/**
 * Makes the machine that validates submissions on a thread, each for a limited time and under its name.
 *
 * @throws {StorageError} when the journal cannot be opened
 */
export function openValidator(deps: OpenValidatorDeps): OpenValidator {
  const { setup, chain, feed, cancelFlag, keptMemory, memoryPermits: permits } = deps;
  const budget = new TimeBudget(SYSTEM_TIMER.nowMs);
  const vm = createCairoVm({
    cancelFlag: new Int32Array(cancelFlag),
    isOver: () => budget.isOver,
    maxMemoryBytes: setup.executionMemoryBytes,
    maxSpanBytes: machineSpanBytes(setup.admissionThreads),
    keptMemory: new Int32Array(keptMemory),
    ...(permits === null ? {} : { memoryPermits: new Int32Array(permits) }),
  });
  const nextInfo = (nowMs: number) => nextBlockInfo(setup, chain, nowMs);
  const journal = new ExecutionJournal(deps.journal);
  const validator = new QuickValidator({
    vm,
    budget,
    guard: new ExecutionGuard(journal),
    block: new ValidationBlock({ nextBlockInfo: nextInfo, nowMs: () => unixNowMs(setup) }),
    contextOf: (info) => contextFor(setup, info),
    chargeFees: setup.chargeFees,
  });
  let warming: IdleWork | undefined;
  return {
    validate(...submission) {
      warming?.stop();
      return validator.validate(...submission);
    },
    warmUp() {
      const blockInfo = (): BlockInfo => nextInfo(unixNowMs(setup));
      const state = feed.current().state();
      warmUp(setup, vm, state, blockInfo());
      warming = together(
        prepareUsualClasses(setup, (casm) => vm.prepare(casm), chain, state, SYSTEM_TIMER),
        warmUpTransfers(
          vm,
          setup.warmUpTransfers,
          () => contextFor(setup, blockInfo()),
          SYSTEM_TIMER,
        ),
      );
    },
    close() {
      warming?.stop();
      journal.close();
    },
  };
}
