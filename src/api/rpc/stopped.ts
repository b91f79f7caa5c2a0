import type { QueryContext } from "./context.ts";
import { NotServedError } from "./errors.ts";

/** Throws the error of a request that was stopped at its deadline. */
export function stopped(): never {
  throw new NotServedError("the execution took too long and was stopped");
}

/** Throws if the request must end. For use between the steps of long work, and in its loops. */
export function checkStopped(context: Pick<QueryContext, "isStopped">): void {
  if (context.isStopped()) stopped();
}
