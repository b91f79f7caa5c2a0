import { createHash } from "node:crypto";
import { type HttpReply, type Passage, type SideRoute, textReply } from "#api/rpc/index.ts";
import { PAGE_HEADERS } from "./policy.ts";

/** Path of the page; with a slash it is the base of the page's addresses. */
const PATH = "/explorer";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html;charset=utf-8",
  js: "text/javascript;charset=utf-8",
  css: "text/css;charset=utf-8",
  svg: "image/svg+xml",
};

/** The address without its slash redirects with a relative location, which a reverse proxy's prefix does not break. */
const REDIRECT: HttpReply = {
  ...textReply("See explorer/\n", 307),
  headers: { "content-type": TYPES["html"] ?? "", location: "explorer/" },
};

/** Loads the page that this program contains. @returns its routes */
export async function loadPageRoutes(): Promise<readonly SideRoute[]> {
  // A node without the explorer does not load it.
  const { PAGE_FILES } = await import("./page.generated.ts");
  return pageRoutes(PAGE_FILES);
}

/**
 * Creates the routes of the page and its files.
 *
 * @param files - contents by name, with `index.html`
 */
export function pageRoutes(files: Readonly<Record<string, string>>): readonly SideRoute[] {
  const routes = Object.entries(files).map(([name, text]): SideRoute => {
    const answer = fileAnswer(name, text);
    return { path: `${PATH}/${name === "index.html" ? "" : name}`, answer, refuse: null };
  });
  return [{ path: PATH, answer: () => REDIRECT, refuse: null }, ...routes];
}

function fileAnswer(name: string, text: string): SideRoute["answer"] {
  const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
  const type = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  const headers = { ...PAGE_HEADERS, etag, "content-type": type };
  const complete: HttpReply = { status: 200, headers, body: text };
  const unchanged: HttpReply = { status: 304, headers: { ...PAGE_HEADERS, etag }, body: null };
  return ({ request }: Passage) =>
    request.headers.get("if-none-match") === etag ? unchanged : complete;
}
