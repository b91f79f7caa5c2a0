import { type CairoVm, HostMemory, type StepBudget } from "#engine/cairo/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockContext } from "../block/context.ts";
import { type CallNumbers, callNumbers } from "../numbers.ts";
import type { TransactionContext } from "../transaction/context.ts";
import { pointScalar } from "./point-scalar.ts";
import type { TraceMemory } from "./trace-memory.ts";

/** Which phase runs: validation is restricted so that it can't depend on what others do. */
export type ExecutionMode = "execute" | "validate";

/** What the calls of one phase of a transaction share. */
export class ExecutionContext {
  readonly vm: CairoVm;
  readonly state: CachedState;
  readonly mode: ExecutionMode;
  readonly numbers: CallNumbers;
  /** Replaced while a meta transaction runs. */
  transaction: TransactionContext;
  /** Steps that calls metered by steps may still take together. */
  readonly stepBudget: StepBudget;
  eventCount = 0;
  messageCount = 0;
  depth = 0;
  /** Set when the machine was told to stop: the result is worthless then. */
  cancelled = false;
  /** Runs of the machine so far. */
  #runs = 0;
  readonly #origin: () => readonly Felt[];
  /** What the phase holds beside the machine. */
  readonly memory: HostMemory;
  /** Set when it needs more memory than it may have: the transaction must not be included. */
  outOfMemory = false;
  /** What this machine cannot execute although others may: the transaction must not be included. */
  unsupported: string | undefined;
  /** Where what inner calls were given and returned is kept; `undefined` when it is not. */
  readonly trace: TraceMemory | undefined;
  /** Gas at the start and when it was last seen: what a revert charges for. */
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
      /** What random points depend on, where there is no transaction. */
      readonly origin?: () => readonly Felt[];
      readonly trace?: TraceMemory | undefined;
    },
  ) {
    this.memory = new HostMemory(vm.memory);
    this.trace = options.trace;
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

  /** Where the random points of the next run of the machine begin. */
  nextPointScalar(): () => bigint {
    const run = this.#runs++;
    return () => pointScalar(this.#origin(), this.mode, run);
  }

  /** Sierra gas used as far as it was seen. */
  gasSeen(): number {
    return this.initialGas - this.lastSeenGas;
  }
}

/** Number and timestamp of a block as validation sees them: rounded down. */
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

/** Steps that a phase may take: the protocol's limit, or what the sender's bounds buy. */
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
