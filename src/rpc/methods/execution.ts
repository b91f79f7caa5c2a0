import type { ExecutionAccess, RpcContext } from "../context.ts";
import { NotServedError } from "../errors.ts";

/** The engine for calls and estimates. */
export function executionOf({ execution }: RpcContext): ExecutionAccess {
  if (execution === undefined) throw new NotServedError("this node executes nothing");
  return execution;
}

/** Ends a request whose execution was stopped at its deadline. */
export function cancelled(): never {
  throw new NotServedError("the execution took too long and was stopped");
}
