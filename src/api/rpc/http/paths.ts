import type { MethodTable } from "../table.ts";

/** `/ws` before the path is of clients of Pathfinder and Juno, whose WebSockets are there. */
const VERSIONED = /^(?:\/ws)?(?:\/rpc)?\/(v\d+[._]\d+(?:[._]\d+)?)(\/openrpc\.json|\/)?$/i;
/** Later patches of a version that change nothing that a node serves: nodes keep their number. */
const LATER_PATCHES: Readonly<Record<string, readonly number[]>> = { "0.10.2": [3] };

const VERSION = /^\/rpc\/v(\d+)_(\d+)(?:_(\d+))?$/;

/**
 * The path of a request, as routes are declared: without the query, and a version in one form.
 * `/v0.10.2`, `/RPC/v0_10_2`, `/ws/rpc/v0_10_2` and `/rpc/v0_10_2/` are all `/rpc/v0_10_2`; the same with a document
 * behind it.
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

/** The path of a path with a query or of an absolute URL. */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : endOfAuthority(url);
  if (url[start] !== "/") return "/";
  const end = url.indexOf("?", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/**
 * The authority of a request target in absolute form (RFC 9112, section 3.2.2).
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
 * Where JSON-RPC is served: `/`, `/rpc` and `/ws` by the newest version; `/rpc/v0_10_2` by that version, and
 * `/rpc/v0_10` by the newest that begins so. What asks for an earlier patch of it, `/rpc/v0_10_0`, gets
 * that one, too: a patch takes nothing away. So do {@link LATER_PATCHES}.
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
    // Where clients of development nodes look for a WebSocket.
    ["/ws", newest],
    ["/ws/rpc", newest],
    // Where clients of Pathfinder look for its own methods.
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

/** The version that a path of {@link routePath} asks for, as `v0.9.1`. */
export function versionAsked(path: string): string | undefined {
  const match = VERSION.exec(path);
  if (match === null) return undefined;
  const [, major, minor, patch] = match;
  return `v${major}.${minor}${patch === undefined ? "" : `.${patch}`}`;
}
