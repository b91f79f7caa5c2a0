import { limitExceeded } from "#api/rpc/index.ts";

const encoder = new TextEncoder();

/** The answer to a query that was not run, or whose answer cannot be given. */
export function queryFailure(reason: string): Uint8Array {
  const error = { code: -32603, message: "Internal error", data: reason };
  return encoder.encode(JSON.stringify({ error }));
}

/** The answer to a query that there is no room for: -32005, as of other limits. */
export function queryBusy(reason: string): Uint8Array {
  return encoder.encode(JSON.stringify({ error: limitExceeded(reason) }));
}
