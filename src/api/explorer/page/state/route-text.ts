/** Position in the page, from the fragment of its address: `#/block/5?tab=events`. */
export interface Route {
  /** First part; empty for the overview. */
  readonly view: string;
  /** Second part: the number, hash or address; empty if absent. */
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Parses a fragment, with or without `#`. */
export function routeOf(fragment: string): Route {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split("?", 2);
  const [view = "", ...rest] = path.split("/");
  return { view, id: decoded(rest.join("/")), query: new URLSearchParams(query) };
}

/** Returns the address of a view, for `href`. */
export function hrefOf(
  view: string,
  id = "",
  query: Readonly<Record<string, string>> = {},
): string {
  const text = new URLSearchParams(query).toString();
  return `#/${view}${id === "" ? "" : `/${encodeURIComponent(id)}`}${text === "" ? "" : `?${text}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
