import { limitExceeded } from "#api/rpc/index.ts";

const encoder = new TextEncoder();

/**
 * Encodes `{error}` with code -32603 (internal error) and `reason` as its data, as UTF-8 JSON without `jsonrpc`
 * and `id`: for a query that was not run, or whose result cannot be returned.
 */
export function queryFailure(reason: string): Uint8Array {
  const error = { code: -32603, message: "Internal error", data: reason };
  return encoder.encode(JSON.stringify({ error }));
}

/** Error response for a query beyond capacity: -32005, as for other limits. */
export function queryBusy(reason: string): Uint8Array {
  return encoder.encode(JSON.stringify({ error: limitExceeded(reason) }));
}
