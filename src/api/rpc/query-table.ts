import type { QueryMethod } from "./bound-method.ts";
import { SPEC_0_10_2 } from "./spec/v0_10/index.ts";
import type { MethodTable } from "./table.ts";

/** What query threads do for an interface that is not JSON-RPC, by names of its own. */
export type QueryWorks = Readonly<Record<string, QueryMethod<never>["invoke"]>>;

/**
 * A table for query threads alone: servers of other interfaces than JSON-RPC hand over with it what takes
 * long. Errors are those of the newest version of the specification.
 *
 * @param version - the name that {@link QueryPool.run} is called with
 */
export function createQueryTable(version: string, works: QueryWorks): MethodTable {
  const spec = { ...SPEC_0_10_2, version };
  const methods: MethodTable["methods"] = new Map(
    Object.entries(works).map(([name, invoke]) => [
      name,
      {
        name,
        summary: "",
        errors: [],
        params: [],
        answer: undefined,
        runsOn: "query",
        preflight: null,
        cacheKey: null,
        invoke,
      } as const,
    ]),
  );
  return {
    spec,
    pages: new Map(),
    methods,
    extensions: new Map(),
    developer: new Map(),
    subscriptions: new Map(),
    find: (name) => methods.get(name),
    nearest: () => undefined,
  };
}
