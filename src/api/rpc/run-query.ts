import { JsonPieces, parseJson } from "#base/codec/index.ts";
import type { QueryContext, RpcObserver } from "./context.ts";
import { failureText } from "./failure.ts";
import { methodNotFound } from "./json-rpc.ts";
import { LongResult } from "./long-result.ts";
import { errorText, resultText } from "./outcome.ts";
import { checkStopped } from "./stopped.ts";
import type { MethodTable } from "./table.ts";

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
  observer: Pick<RpcObserver, "internalError">,
): Promise<Uint8Array | LongResult> {
  const bound = table.methods.get(method) ?? table.extensions.get(method);
  if (bound?.runsOn !== "query") return utf8.encode(errorText(methodNotFound(method, undefined)));
  const failed = (thrown: unknown): Uint8Array =>
    utf8.encode(failureText(thrown, table, method, observer));
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
