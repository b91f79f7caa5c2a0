import type { MethodTable } from "../table.ts";

/** Clients of Pathfinder and Juno put `/ws` before the path, where those nodes serve WebSockets. */
const VERSIONED = /^(?:\/ws)?(?:\/rpc)?\/(v\d+[._]\d+(?:[._]\d+)?)(\/openrpc\.json|\/)?$/i;
/**
 * Later patches of a version that change nothing in a node's API: nodes keep reporting the earlier number.
 */
const LATER_PATCHES: Readonly<Record<string, readonly number[]>> = { "0.10.2": [3] };

const VERSION = /^\/rpc\/v(\d+)_(\d+)(?:_(\d+))?$/;

/**
 * Normalizes the path of a request to the form in which routes are declared: without the query, and with a
 * single spelling of the version. `/v0.10.2`, `/RPC/v0_10_2`, `/ws/rpc/v0_10_2` and `/rpc/v0_10_2/` all
 * become `/rpc/v0_10_2`; a document name after it is kept.
 *
 * @param url - a path with or without a query, or an absolute URL
 */
export function routePath({ url }: { readonly url: string }): string {
  const path = pathOf(url);
  if (path === "/") return path;
  const [, version, rest = ""] = VERSIONED.exec(path) ?? [];
  if (version === undefined) return path;
  const file = rest === "/" ? "" : rest.toLowerCase();
  const numbers = version.slice(1).split(/[._]/);
  return `/rpc/v${numbers.map((digits) => digits.replace(/^0+(?=\d)/, "")).join("_")}${file}`;
}

/** Extracts the path from an absolute URL, or from a path with a query. */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : endOfAuthority(url);
  if (url[start] !== "/") return "/";
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/**
 * Extracts the authority of a request target in absolute form (RFC 9112, section 3.2.2).
 *
 * @returns `undefined` for a path, which has none
 */
export function authorityOf(url: string): string | undefined {
  if (url.startsWith("/") || !url.includes("//")) return undefined;
  return url.slice(url.indexOf("//") + 2, endOfAuthority(url));
}

function endOfAuthority(url: string): number {
  const start = url.indexOf("//") + 2;
  const length = url.slice(start).search(/[/?#]/);
  return length === -1 ? url.length : start + length;
}

/**
 * Maps paths to JSON-RPC versions. `/`, `/rpc` and `/ws` serve the newest version, `/rpc/v0_10_2` that
 * version, and `/rpc/v0_10` the newest 0.10. A request for an earlier patch, `/rpc/v0_10_0`, is served by the
 * newest patch as well: a patch removes nothing. The same holds for {@link LATER_PATCHES}.
 *
 * @param tables - newest first, at least one
 */
export function rpcPaths<C>(
  tables: readonly [MethodTable<C>, ...MethodTable<C>[]],
): ReadonlyMap<string, MethodTable<C>> {
  const [newest] = tables;
  const paths = new Map([
    ["/", newest],
    ["/rpc", newest],
    ["/rpc/", newest],
    // Clients of development nodes look for a WebSocket here.
    ["/ws", newest],
    ["/ws/rpc", newest],
    // Clients of Pathfinder look for its own methods here.
    ["/rpc/pathfinder/v0.1", newest],
    ["/rpc/pathfinder/v0_1", newest],
  ]);
  for (const table of tables) {
    const [major, minor, patch] = table.spec.version.split(".");
    const short = `/rpc/v${major}_${minor}`;
    const earlier = Array.from({ length: Number(patch) }, (_, i) => i);
    const aliases = [...earlier, ...(LATER_PATCHES[table.spec.version] ?? [])];
    for (const path of [short, ...aliases.map((other) => `${short}_${other}`)])
      if (!paths.has(path)) paths.set(path, table);
    paths.set(`${short}_${patch}`, table);
  }
  return paths;
}

/** Returns the version that a path of {@link routePath} requests, as `v0.9.1`. */
export function requestedVersion(path: string): string | undefined {
  const match = VERSION.exec(path);
  if (match === null) return undefined;
  const [, major, minor, patch] = match;
  return `v${major}.${minor}${patch === undefined ? "" : `.${patch}`}`;
}
