import type { MethodTable } from "./table.ts";

/** Where a path leads. */
export type Route =
  | { readonly kind: "rpc"; readonly table: MethodTable }
  | {
      readonly kind: "unserved_version";
      readonly version: string;
      readonly served: readonly string[];
    }
  | { readonly kind: "unknown" };

/** Finds the version that a path asks for. */
export type Router = (path: string) => Route;

const VERSIONED = /^(?:\/rpc)?\/v(\d+)[._](\d+)(?:[._](\d+))?\/?$/i;

/**
 * Makes the router of the served versions.
 *
 * `/` and `/rpc` lead to the newest; `/rpc/v0_10`, `/rpc/v0_10_2`, `/rpc/v0.10.2` and the same
 * without `/rpc` lead to that version. A two-part version means its newest patch.
 *
 * @param tables - newest first, at least one
 */
export function createRouter(tables: readonly [MethodTable, ...MethodTable[]]): Router {
  const newest: Route = { kind: "rpc", table: tables[0] };
  const served = tables.map((table) => table.spec.version);
  const routes = new Map<string, Route>([
    ["/", newest],
    ["/rpc", newest],
    ["/rpc/", newest],
  ]);
  return (path) => {
    const known = routes.get(path);
    if (known !== undefined) return known;
    const match = VERSIONED.exec(path);
    if (match === null) return { kind: "unknown" };
    const [, major = "", minor = "", patch] = match;
    const wanted = `${Number(major)}.${Number(minor)}`;
    const table = tables.find(({ spec }) =>
      patch === undefined
        ? spec.version.startsWith(`${wanted}.`)
        : spec.version === `${wanted}.${Number(patch)}`,
    );
    return table === undefined
      ? {
          kind: "unserved_version",
          version: `v${major}.${minor}${patch === undefined ? "" : `.${patch}`}`,
          served,
        }
      : { kind: "rpc", table };
  };
}
