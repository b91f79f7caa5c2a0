import { feltFromBytes } from "#base/primitives/index.ts";
import type { OriginQuery } from "../query.ts";
import type { OriginSource } from "../source.ts";

/**
 * Caches a value that will probably be read soon; after the class hash of a contract, also the class. Never
 * rejects: a value that cannot be cached now is read again when a thread needs it, which then gets the error.
 */
export async function prefetch(
  source: Pick<OriginSource, "answer">,
  query: OriginQuery,
): Promise<void> {
  try {
    const value = await source.answer(query);
    if (query.kind !== "classHash" || value === null) return;
    const classHash = feltFromBytes(value);
    if (classHash !== 0n) await source.answer({ kind: "class", block: query.block, classHash });
  } catch {
    return;
  }
}
