import type { RpcObserver } from "./context.ts";
import { toRpcError } from "./json-rpc.ts";
import { errorText } from "./outcome.ts";
import type { MethodTable } from "./table.ts";

/** Returns the error response for an exception of a method; internal errors are reported to the observer. */
export function failureText(
  thrown: unknown,
  table: MethodTable,
  method: string,
  observer: Pick<RpcObserver, "internalError">,
): string {
  const logId = crypto.randomUUID();
  const { error, internal } = toRpcError(thrown, table.spec, method, logId);
  if (internal) observer.internalError(method, logId, thrown);
  return errorText(error);
}
