import { type CairoVm, HostMemory, type StepBudget } from "#engine/cairo/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockContext } from "../block/context.ts";
import { type CallNumbers, callNumbers } from "../numbers.ts";
import type { TransactionContext } from "../transaction/context.ts";
import { FailedCallNotes } from "./failed-calls.ts";
import { pointScalar } from "./point-scalar.ts";
import type { TraceMemory } from "./trace-memory.ts";

/**
 * Execution phase; validation is restricted so that its result cannot depend on other accounts' transactions.
 */
export type ExecutionMode = "execute" | "validate";

/** State shared by the calls of one transaction phase. */
export class ExecutionContext {
  readonly vm: CairoVm;
  readonly state: CachedState;
  readonly mode: ExecutionMode;
  readonly numbers: CallNumbers;
  /** Replaced while a meta transaction runs. */
  transaction: TransactionContext;
  /** Remaining steps of all calls metered by steps. */
  readonly stepBudget: StepBudget;
  eventCount = 0;
  messageCount = 0;
  depth = 0;
  /** Set when the machine was cancelled: the result is meaningless. */
  cancelled = false;
  #runs = 0;
  readonly #origin: () => readonly Felt[];
  /** Memory that the phase holds outside the machine. */
  readonly memory: HostMemory;
  /** Set when the phase exceeds its memory limit: the transaction must not be included. */
  outOfMemory = false;
  /** Feature that this machine lacks although others may have it: the transaction must not be included. */
  unsupported: string | undefined;
  /** Stores inputs and outputs of inner calls; `undefined` when they are not recorded. */
  readonly trace: TraceMemory | undefined;
  /** Calls that ended with an error; `undefined` when they are not recorded. */
  readonly failedCalls: FailedCallNotes | undefined;
  /** Gas at the start, and when it was last observed: the basis of what a revert is charged. */
  readonly initialGas: number;
  lastSeenGas: number;

  constructor(
    vm: CairoVm,
    state: CachedState,
    transaction: TransactionContext,
    mode: ExecutionMode,
    options: {
      readonly limitStepsByBounds: boolean;
      readonly gas: number;
      /** Seed of random points for calls without a transaction. */
      readonly origin?: () => readonly Felt[];
      readonly trace?: TraceMemory | undefined;
    },
  ) {
    this.memory = new HostMemory(vm.memory);
    this.trace = options.trace;
    this.failedCalls = options.trace === undefined ? undefined : new FailedCallNotes();
    this.vm = vm;
    this.state = state;
    this.transaction = transaction;
    this.mode = mode;
    this.numbers = callNumbers(transaction.block.constants);
    this.stepBudget = { left: maxSteps(transaction, mode, options.limitStepsByBounds) };
    this.initialGas = options.gas;
    this.lastSeenGas = options.gas;
    this.#origin = options.origin ?? (() => [transaction.hash]);
  }

  /** Returns the seed scalar of the random points in the next machine run. */
  nextPointScalar(): () => bigint {
    const run = this.#runs++;
    return () => pointScalar(this.#origin(), this.mode, run);
  }

  /** Sierra gas used up to the last observation. */
  gasSeen(): number {
    return this.initialGas - this.lastSeenGas;
  }
}

/**
 * Returns the block number and timestamp that contracts see during validation: rounded down by the
 * protocol's constants.
 */
export function validationBlock({ info, constants }: BlockContext): {
  readonly number: number;
  readonly timestamp: number;
} {
  const { blockNumber, timestampSeconds } = constants.os.validateRounding;
  return {
    number: info.number - (info.number % blockNumber),
    timestamp: info.timestamp - (info.timestamp % timestampSeconds),
  };
}

/**
 * Returns the maximum Cairo steps of a phase: the protocol's limit, or fewer if the sender's
 * resource bounds pay for fewer.
 */
export function maxSteps(
  { block, v3, maxFee, prices, gasMode }: TransactionContext,
  mode: ExecutionMode,
  limitByBounds: boolean,
): number {
  const { constants } = block;
  const limit = mode === "validate" ? constants.validateMaxSteps : constants.invokeTxMaxSteps;
  if (!limitByBounds) return limit;
  if (v3 !== null && gasMode === "l2") {
    const perStep = constants.os.stepGasCost;
    return Math.min(limit, perStep === 0n ? limit : Number(v3.bounds.l2Gas.maxAmount / perStep));
  }
  const [numerator, denominator] = constants.vmResourceFeeCost.steps;
  if (numerator === 0n) return limit;
  const l1Gas = v3 === null ? maxFee / prices.l1Gas : v3.bounds.l1Gas.maxAmount;
  return Math.min(limit, Number((l1Gas * denominator) / numerator));
}
