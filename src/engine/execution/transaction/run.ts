import type { CairoVm } from "#engine/cairo/index.ts";
import type { CachedState, Changes, Checkpoint } from "#engine/state/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { CallFailure } from "../call/error-text.ts";
import type { CallInfo } from "../call/info.ts";
import { type Cost, transactionCost } from "../fee/cost.ts";
import type { TransactionShape } from "../fee/shape.ts";
import { countForFee } from "../fee/state-changes.ts";
import type { PrevalidatedCall } from "../validation/prevalidated.ts";
import type { TransactionContext } from "./context.ts";
import type { ExecutionFlags } from "./flags.ts";
import type { Phases } from "./phases.ts";
import type { Rejection } from "./rejection.ts";

/** Everything that a run needs to know. */
export interface RunInput {
  readonly vm: CairoVm;
  readonly state: CachedState;
  readonly block: BlockContext;
  readonly flags: ExecutionFlags;
  /** An earlier validation of the same transaction. */
  readonly prevalidated?: PrevalidatedCall | undefined;
}

/** A transaction that ran to its end, which may be a revert. */
export interface Executed {
  readonly kind: "done";
  readonly context: TransactionContext;
  readonly validate: CallInfo | null;
  readonly execute: CallInfo | null;
  readonly feeTransfer: CallInfo | null;
  readonly revertReason: string | null;
  /** The structured form of the revert reason, where a call failed. */
  readonly failure?: CallFailure;
  readonly cost: Cost;
}

/** How a transaction ran on a state, before the block's capacity is looked at. */
export type RunResult =
  | Executed
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/** A run of an account transaction: what its phases share, and what its cost depends on. */
export interface Run extends Phases {
  readonly shape: TransactionShape;
  readonly validates: boolean;
  /** The chain takes no fees: receipts say so, where the reference shows the fee it did not take. */
  readonly isFree: boolean;
  /** The state before the transaction. */
  readonly start: Checkpoint;
}

/** A transaction that ran and has not paid yet. */
export type ExecutedWithoutFee = Omit<Executed, "feeTransfer">;

/** How the part before the fee transfer ended. */
export type PartResult = ExecutedWithoutFee | Exclude<RunResult, Executed>;

/** What a run costs by the calls that it made and the changes that stay. */
export function costOf(
  run: Run,
  calls: readonly (CallInfo | null)[],
  changes: Changes = run.state.changesSince(run.start),
  reverted = { steps: 0, sierraGas: 0 },
): Cost {
  const { context, shape } = run;
  const made = calls.filter((call) => call !== null);
  const counts = countForFee(changes, context.senderAddress, context.feeToken);
  return transactionCost(context, shape, made, counts, reverted);
}
