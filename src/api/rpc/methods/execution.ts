import type { ExecutionAccess, RpcContext } from "../context.ts";
import { NotServedError } from "../errors.ts";

/** The engine for calls and estimates. */
export function executionOf({ execution }: RpcContext): ExecutionAccess {
  if (execution === undefined) throw new NotServedError("this node executes nothing");
  return execution;
}
