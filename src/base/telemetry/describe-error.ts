import { inspect } from "node:util";

/** Describes any thrown value in one line, with its chain of causes and without a stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 1, breakLength: Infinity });
  const cause = error.cause === undefined ? "" : ` (caused by ${describeError(error.cause)})`;
  return `${error.message}${cause}`;
}
