import { JsonPieces, parseJson } from "#base/codec/index.ts";
import { OriginMissing, type OriginQuery } from "#io/origin/index.ts";
import type { QueryContext, RpcObserver } from "./context.ts";
import { failureText } from "./failure.ts";
import { methodNotFound } from "./json-rpc.ts";
import { LongResult } from "./long-result.ts";
import { errorText, resultText } from "./outcome.ts";
import { checkStopped } from "./stopped.ts";
import type { MethodTable } from "./table.ts";

/** Observes a method on a query thread. */
export interface QueryObserver extends Pick<RpcObserver, "internalError"> {
  /** The method has to run again with these values of a fork's origin; its response is meaningless. */
  readonly missing?: (queries: readonly OriginQuery[]) => void;
}

const utf8 = new TextEncoder();

/**
 * Runs a method on a query thread: the remote end of {@link QueryPool}.
 *
 * @returns UTF-8 JSON of `{"result": ...}` or `{"error": ...}`, or a producer of it; never rejects
 */
export async function runQuery(
  table: MethodTable,
  context: QueryContext,
  method: string,
  paramsText: string,
  observer: QueryObserver,
): Promise<Uint8Array | LongResult> {
  const bound = table.methods.get(method) ?? table.extensions.get(method);
  if (bound?.runsOn !== "query") return utf8.encode(errorText(methodNotFound(method, undefined)));
  const failed = (thrown: unknown): Uint8Array => {
    if (thrown instanceof OriginMissing) observer.missing?.(thrown.queries);
    return utf8.encode(failureText(thrown, table, method, observer));
  };
  try {
    const params = parseJson(paramsText);
    checkStopped(context);
    const result = await bound.invoke(context, params);
    if (result instanceof JsonPieces) return new LongResult(result, failed);
    return utf8.encode(resultText(result));
  } catch (thrown) {
    return failed(thrown);
  }
}
