import { hexFromFelt } from "#base/primitives/index.ts";
import type { TransactionTrace } from "#engine/execution/index.ts";
import { NotServedError } from "../errors.ts";
import type {
  LongTracedTransactions,
  TracedBlock,
  TracedTransactions,
  TraceFailure,
} from "./access.ts";

/**
 * Ends a request whose traces exceed the memory limit.
 *
 * @param transaction - names the transaction whose trace alone exceeds it; `undefined` if only their sum does
 */
export function tooLarge(transaction: string | undefined): never {
  throw new NotServedError(
    transaction === undefined
      ? "the traces exceed the memory limit: request fewer at a time"
      : `the trace of ${transaction} exceeds the memory limit`,
  );
}

/**
 * Returns the traces of a block.
 *
 * @returns an array, or a generator that creates each trace on demand and throws on failure
 */
export function tracesOf(
  block: TracedBlock,
  traced: TracedTransactions | LongTracedTransactions,
): Iterable<TransactionTrace> {
  return traced.kind === "ok" ? traced.traces : tracesOneByOne(block, traced);
}

function* tracesOneByOne(
  block: TracedBlock,
  { steps }: LongTracedTransactions,
): Generator<TransactionTrace> {
  for (const step of steps) yield "kind" in step ? failTraces(block, step) : step;
}

/**
 * Ends a request for traces that could not be created.
 *
 * @throws {NotServedError} always, with the known reason
 */
export function failTraces(block: TracedBlock, failure: TraceFailure): never {
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
      return tooLarge(nameOf(failure.index));
    case "differs":
      throw new NotServedError(
        `${nameOf(failure.index)} behaves differently than in block ${block.info.number} ` +
          `(${failure.reason}): its trace is unknown`,
      );
  }
}
