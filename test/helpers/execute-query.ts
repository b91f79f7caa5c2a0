import { LongResult, runQuery } from "#api/rpc/index.ts";

/** Runs a method as a query thread does, and collects its whole response. */
export async function executeQuery(...query: Parameters<typeof runQuery>): Promise<Uint8Array> {
  const made = await runQuery(...query);
  return made instanceof LongResult ? made.take(Number.POSITIVE_INFINITY, () => false) : made;
}
