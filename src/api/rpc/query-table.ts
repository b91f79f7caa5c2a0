import type { QueryMethod } from "./bound-method.ts";
import { SPEC_0_10_2 } from "./spec/v0_10/index.ts";
import type { MethodTable } from "./table.ts";

/** Query-thread operations of an interface other than JSON-RPC, by their own names. */
export type QueryWorks = Readonly<Record<string, QueryMethod<never>["invoke"]>>;

/**
 * Creates a table for query threads only: servers of other interfaces use it to run long operations. Errors
 * are those of the newest version of the specification.
 *
 * @param version - name to pass to {@link QueryPool.run}
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
