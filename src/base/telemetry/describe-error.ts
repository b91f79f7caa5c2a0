import { inspect } from "node:util";

/** One line that describes any thrown value, with the chain of causes and without a stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 1, breakLength: Infinity });
  const cause = error.cause === undefined ? "" : ` (caused by ${describeError(error.cause)})`;
  return `${error.message}${cause}`;
}
