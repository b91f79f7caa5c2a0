import type { CairoVm } from "#engine/cairo/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import type { ExecutionContext } from "../call/context.ts";
import type { CallFailure } from "../call/error-text.ts";
import type { CallInfo } from "../call/info.ts";
import type { TraceMemory } from "../call/trace-memory.ts";
import type { TransactionContext } from "./context.ts";
import type { Rejection } from "./rejection.ts";

/** Remaining Sierra gas of a transaction, which its phases consume one after the other. */
export class GasBudget {
  remaining: number;

  constructor(gas: number) {
    this.remaining = gas;
  }

  /** Gas available to a phase with its own limit. */
  limited(limit: number): number {
    return Math.min(this.remaining, limit);
  }

  /** Deducts the gas of a phase. */
  spend(call: CallInfo | null): void {
    if (call !== null) this.remaining -= Number(call.gasConsumed);
  }
}

/** State shared by the phases of one transaction. */
export interface Phases {
  readonly vm: CairoVm;
  readonly state: CachedState;
  readonly context: TransactionContext;
  /** Whether a fee is charged, which limits steps to what the bounds pay for. */
  readonly chargeFee: boolean;
  readonly budget: GasBudget;
  /** Stores inputs and outputs of inner calls; `undefined` when they are not recorded. */
  readonly trace: TraceMemory | undefined;
}

/** Result of a phase. */
export type PhaseResult =
  | { readonly kind: "done"; readonly call: CallInfo | null }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/**
 * Returns the result of a phase that ended for a reason outside its contract: cancelled, out of
 * memory, or unsupported by this machine.
 *
 * @returns `undefined` if none of these happened
 */
export function interrupted(
  execution: ExecutionContext,
): Extract<PhaseResult, { kind: "cancelled" | "rejected" }> | undefined {
  if (execution.cancelled) return { kind: "cancelled" };
  if (execution.outOfMemory) {
    const message = execution.memory.problem();
    return { kind: "rejected", error: { code: "OUT_OF_MEMORY", kind: "OutOfMemory", message } };
  }
  if (execution.unsupported === undefined) return undefined;
  const message = `This node cannot execute the transaction, and others may: ${execution.unsupported}`;
  return { kind: "rejected", error: { code: "UNSUPPORTED", kind: "Unsupported", message } };
}

/** Creates a phase result that rejects the transaction. */
export function rejected(
  code: Rejection["code"],
  kind: string,
  message: string,
  failure?: CallFailure,
): PhaseResult {
  const error = { code, kind, message };
  return { kind: "rejected", error: failure === undefined ? error : { ...error, failure } };
}
