import type { CompileOutcome, CompileRequest } from "#services/admission/index.ts";
import type { KnownClass, NeededClass } from "../threads/query-messages.ts";

/**
 * Compiles the classes that a query needs, without a fee.
 *
 * @param signal - aborted when the client no longer waits for the query
 * @returns an error text for the client if the compilers have no capacity
 */
export async function compileAll(
  needed: readonly NeededClass[],
  compile: (request: CompileRequest) => Promise<CompileOutcome>,
  signal: AbortSignal | undefined,
): Promise<readonly KnownClass[] | string> {
  const compiled: KnownClass[] = [];
  const compilations = needed.map((request) =>
    compile({ ...request, isTrial: true, ...(signal === undefined ? {} : { signal }) }),
  );
  for (const [i, outcome] of (await Promise.all(compilations)).entries()) {
    const classHash = needed[i]?.classHash ?? 0n;
    if (outcome.kind === "busy") {
      return `${outcome.reason}: try again in ${outcome.retryAfterSeconds} s`;
    }
    compiled.push({ classHash, outcome });
  }
  return compiled;
}
