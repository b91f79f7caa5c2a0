import { createCairoVm } from "#engine/cairo/index.ts";
import {
  type AdmissionDeps,
  ExecutionGuard,
  type PendingFeed,
  QuickValidator,
  TimeBudget,
  ValidationBlock,
} from "#services/admission/index.ts";
import { ExecutionJournal } from "#io/storage/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { BlockInfo } from "#protocol/chain/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { nextBlockInfo, unixNowMs } from "../setup/environment.ts";
import { machineSpanBytes } from "../threads/health/machine-space.ts";
import { type IdleWork, together } from "../threads/warm-up/idle-turns.ts";
import { prepareUsualClasses } from "../threads/warm-up/usual-classes.ts";
import { warmUp } from "../threads/warm-up/warm-up.ts";
import { warmUpTransfers } from "../threads/warm-up/warm-up-transfers.ts";
import { contextFor, type NodeSetup } from "../setup/setup.ts";

/** Dependencies of {@link openValidator}. */
export interface OpenValidatorDeps {
  readonly setup: NodeSetup;
  readonly chain: ChainReader;
  readonly feed: PendingFeed;
  /** Non-zero cancels the run in progress. */
  readonly cancelFlag: SharedArrayBuffer;
  /** Counter of the memory that the machines of all threads keep between runs. */
  readonly retainedMemory: SharedArrayBuffer;
  /** Permits for runs that need much memory; `null` when this thread's machine needs none. */
  readonly memoryPermits: SharedArrayBuffer | null;
  /** Path of the journal that records what this thread is validating. */
  readonly journal: string;
}

/** Machine of a thread that validates submissions, with its open crash journal. */
export interface OpenValidator {
  readonly validate: AdmissionDeps["validate"];
  /** Compiles what the first validations need, then continues in idle turns up to the first one. */
  warmUp(): void;
  /** Closes the journal and stops warming up. */
  close(): void;
}

/**
 * Creates the machine that validates a thread's submissions. Each run has a time limit and a journal entry.
 *
 * @throws {StorageError} when the journal cannot be opened
 */
export function openValidator(deps: OpenValidatorDeps): OpenValidator {
  const { setup, chain, feed, cancelFlag, retainedMemory, memoryPermits: permits } = deps;
  const budget = new TimeBudget(SYSTEM_TIMER.nowMs);
  const vm = createCairoVm({
    cancelFlag: new Int32Array(cancelFlag),
    isOver: () => budget.isOver,
    maxMemoryBytes: setup.executionMemoryBytes,
    maxSpanBytes: machineSpanBytes(setup),
    retainedMemory: new Int32Array(retainedMemory),
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
