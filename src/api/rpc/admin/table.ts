import { editDistance } from "#base/primitives/index.ts";
import { SPEC_0_10_2 } from "../spec/v0_10/index.ts";
import type { SpecVersion } from "../spec/version.ts";
import { boundTo, type MethodTable } from "../table.ts";
import type { AdminContext } from "./admin-context.ts";
import { ADMIN_METHODS } from "./methods.ts";

/** Maximum edit distance for suggesting a similar name. */
const MAX_DISTANCE = 7;

/** Query threads find the admin methods under this name, next to the versions of the specification. */
const SPEC: SpecVersion = { ...SPEC_0_10_2, version: "admin" };

/** Creates the table of the admin methods; they have a single version. */
export function createAdminTable(): MethodTable<AdminContext> {
  const methods = boundTo(SPEC, ADMIN_METHODS);
  return {
    spec: SPEC,
    pages: new Map(),
    methods,
    extensions: new Map(),
    developer: new Map(),
    subscriptions: new Map(),
    find: (wireName) => methods.get(wireName),
    nearest(wireName) {
      if (wireName.length > 64) return undefined;
      const distances = [...methods.keys()].map(
        (name) => [editDistance(wireName, name), name] as const,
      );
      const [[distance, name] = [Infinity, undefined]] = distances.toSorted(([a], [b]) => a - b);
      return distance <= MAX_DISTANCE ? name : undefined;
    },
  };
}
