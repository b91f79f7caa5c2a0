import type { CairoVm } from "#engine/cairo/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import type { ExecutionContext } from "../call/context.ts";
import type { CallFailure } from "../call/error-text.ts";
import type { CallInfo } from "../call/info.ts";
import type { TraceMemory } from "../call/trace-memory.ts";
import type { TransactionContext } from "./context.ts";
import type { Rejection } from "./rejection.ts";

/** Sierra gas of a transaction: phases take from it one after the other. */
export class GasBudget {
  remaining: number;

  constructor(gas: number) {
    this.remaining = gas;
  }

  /** What a phase with its own limit may use. */
  limited(limit: number): number {
    return Math.min(this.remaining, limit);
  }

  /** Takes off what a phase used. */
  spend(call: CallInfo | null): void {
    if (call !== null) this.remaining -= Number(call.gasConsumed);
  }
}

/** What the phases of one transaction share. */
export interface Phases {
  readonly vm: CairoVm;
  readonly state: CachedState;
  readonly context: TransactionContext;
  /** Steps are limited by what the bounds can pay, as a fee is charged. */
  readonly chargeFee: boolean;
  readonly budget: GasBudget;
  /** Where what inner calls were given and returned is kept; `undefined` when it is not. */
  readonly trace: TraceMemory | undefined;
}

/** How a phase ended. */
export type PhaseResult =
  | { readonly kind: "done"; readonly call: CallInfo | null }
  | { readonly kind: "rejected"; readonly error: Rejection }
  | { readonly kind: "cancelled" };

/** The end of a phase that came to none of its own; `undefined` when it did. */
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

/** The end of a phase that rejects the transaction. */
export function rejected(
  code: Rejection["code"],
  kind: string,
  message: string,
  failure?: CallFailure,
): PhaseResult {
  const error = { code, kind, message };
  return { kind: "rejected", error: failure === undefined ? error : { ...error, failure } };
}
