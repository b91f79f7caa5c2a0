const encoder = new TextEncoder();

/** The answer to a query that was not run, or whose answer cannot be given. */
export function queryFailure(reason: string): Uint8Array {
  const error = { code: -32603, message: "Internal error", data: reason };
  return encoder.encode(JSON.stringify({ error }));
}
