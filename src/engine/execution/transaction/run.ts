import type { CairoVm } from "#engine/cairo/index.ts";
import type { CachedState, Changes, Checkpoint } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { CallFailure } from "../call/error-text.ts";
import type { FailedCalls } from "../call/failed-calls.ts";
import type { CallInfo } from "../call/info.ts";
import { type Cost, transactionCost } from "../fee/cost.ts";
import type { TransactionShape } from "../fee/shape.ts";
import { countForFee } from "../fee/state-changes.ts";
import type { PrevalidatedCall } from "../validation/prevalidated.ts";
import type { TransactionContext } from "./context.ts";
import type { ExecutionFlags } from "./flags.ts";
import type { Phases } from "./phases.ts";
import type { Rejection } from "./rejection.ts";

/** Inputs of a run. */
export interface RunInput {
  readonly vm: CairoVm;
  readonly state: CachedState;
  readonly block: BlockContext;
  readonly flags: ExecutionFlags;
  /** Earlier validation of the same transaction. */
  readonly prevalidated?: PrevalidatedCall | undefined;
}

/** Transaction that ran to its end, possibly a revert. */
export interface Executed {
  readonly kind: "done";
  readonly context: TransactionContext;
  readonly validate: CallInfo | null;
  readonly execute: CallInfo | null;
  readonly feeTransfer: CallInfo | null;
  readonly revertReason: string | null;
  /** Structured form of the revert reason, if a call failed. */
  readonly failure?: CallFailure;
  /** Calls of a reverted execution; `undefined` without one, or when calls are not recorded. */
  readonly reverted?: FailedCalls | undefined;
  readonly cost: Cost;
}

/** Result of running a transaction on a state, before the block's capacity is checked. */
export type RunResult =
  | Executed
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/** Run of an account transaction: state shared by its phases, and inputs of its cost. */
export interface Run extends Phases {
  readonly shape: TransactionShape;
  readonly validates: boolean;
  /**
   * Whether the chain charges no fees: receipts then show 0, not the uncharged fee as in the reference
   * engine.
   */
  readonly isFree: boolean;
  /** Checkpoint before the transaction. */
  readonly start: Checkpoint;
}

/** Executed transaction before its fee transfer. */
export type ExecutedWithoutFee = Omit<Executed, "feeTransfer">;

/** Result of a transaction's run before its fee transfer. */
export type PartResult = ExecutedWithoutFee | Exclude<RunResult, Executed>;

/** Cost of a run, from its calls and its remaining changes. */
export function costOf(
  run: Run,
  calls: readonly (CallInfo | null)[],
  changes: Changes = run.state.changesSince(run.start),
  reverted = { steps: 0, sierraGas: 0 },
): Cost {
  const { context, shape } = run;
  const executed = calls.filter((call) => call !== null);
  const counts = countForFee(changes, context.senderAddress, context.feeToken);
  return transactionCost(context, shape, executed, counts, reverted);
}
