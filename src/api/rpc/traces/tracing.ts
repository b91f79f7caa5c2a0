import { hexFromFelt } from "#base/primitives/index.ts";
import type { RpcContext, TraceAccess, TracedBlock, TraceFailure } from "../context.ts";
import { NotServedError } from "../errors.ts";

/** The engine for traces and simulations. */
export function tracingOf({ tracing }: RpcContext): TraceAccess {
  if (tracing === undefined) throw new NotServedError("this node executes nothing");
  return tracing;
}

/** Ends a request whose answer would be too large. */
export function tooLarge(): never {
  throw new NotServedError("the traces are larger than an answer may be: ask for fewer at once");
}

/**
 * Ends a request for traces that could not be made.
 *
 * @throws {NotServedError} always, with what is known
 */
export function noTraces(block: TracedBlock, failure: TraceFailure): never {
  const { transactions } = block.contents();
  switch (failure.kind) {
    case "cancelled":
      throw new NotServedError(
        `the execution of block ${block.info.number} took too long and was stopped after ` +
          `${failure.done} of ${transactions.length} transactions`,
      );
    case "too_large":
      return tooLarge();
    case "differs": {
      const hash = transactions[failure.index]?.hash ?? 0n;
      throw new NotServedError(
        `transaction ${hexFromFelt(hash)} does not do what it did in block ${block.info.number} ` +
          `(${failure.reason}): its trace is not known`,
      );
    }
  }
}
