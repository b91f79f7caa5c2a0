import { hexFromFelt } from "#base/primitives/index.ts";
import type { TracedBlock, TraceFailure } from "../context.ts";
import { NotServedError } from "../errors.ts";

/**
 * Ends a request whose answer would be too large.
 *
 * @param transaction - names the one whose trace alone is; `undefined`: all together are
 */
export function tooLarge(transaction: string | undefined): never {
  throw new NotServedError(
    transaction === undefined
      ? "the traces are larger than an answer may be: ask for fewer at once"
      : `the trace of ${transaction} is larger than an answer may be: it cannot be told`,
  );
}

/**
 * Ends a request for traces that could not be made.
 *
 * @throws {NotServedError} always, with what is known
 */
export function noTraces(block: TracedBlock, failure: TraceFailure): never {
  const { transactions } = block.contents();
  const nameOf = (index: number): string =>
    `transaction ${hexFromFelt(transactions[index]?.hash ?? 0n)}`;
  switch (failure.kind) {
    case "cancelled":
      throw new NotServedError(
        `the execution of block ${block.info.number} took too long and was stopped after ` +
          `${failure.done} of ${transactions.length} transactions`,
      );
    case "too_large":
      return tooLarge(failure.index === null ? undefined : nameOf(failure.index));
    case "differs":
      throw new NotServedError(
        `${nameOf(failure.index)} does not do what it did in block ${block.info.number} ` +
          `(${failure.reason}): its trace is not known`,
      );
  }
}
