import { describe, expect, test } from "bun:test";
import { loadPageRoutes, pageRoutes } from "#api/explorer/assets/page-routes.ts";
import type { HttpReply, Passage } from "#api/rpc/index.ts";

const FILES = { "index.html": "<p>page</p>", "app.js": "1" };

async function replyOf(path: string, etag: string | null = null): Promise<HttpReply | undefined> {
  const found = pageRoutes(FILES).find((route) => route.path === path);
  const headers = { get: (name: string) => (name === "if-none-match" ? etag : null) };
  return found?.answer({ request: { headers } } as unknown as Passage);
}

describe("pageRoutes", () => {
  test("serves each file at its name, and the page at the folder", async () => {
    expect((await replyOf("/explorer/"))?.body).toBe("<p>page</p>");
    expect((await replyOf("/explorer/app.js"))?.body).toBe("1");
    expect(await replyOf("/explorer/index.html")).toBeUndefined();
  });

  test("names the type of each file", async () => {
    const types = await Promise.all(
      ["/explorer/", "/explorer/app.js"].map(
        async (path) => (await replyOf(path))?.headers["content-type"],
      ),
    );
    expect(types).toEqual(["text/html;charset=utf-8", "text/javascript;charset=utf-8"]);
  });

  test("redirects the path without a slash by a relative location", async () => {
    const reply = await replyOf("/explorer");
    expect([reply?.status, reply?.headers["location"]]).toEqual([307, "explorer/"]);
  });

  test("answers 304 without a body to a client that has the file", async () => {
    const etag = (await replyOf("/explorer/app.js"))?.headers["etag"] ?? "";
    const reply = await replyOf("/explorer/app.js", etag);
    expect([reply?.status, reply?.body, reply?.headers["etag"]]).toEqual([304, null, etag]);
  });

  test("allows no inline script, no foreign source and no frame", async () => {
    const policy = (await replyOf("/explorer/"))?.headers["content-security-policy"] ?? "";
    expect(policy.split("; ")).toEqual([
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });
});

test("the program contains the page with its script, style and icon", async () => {
  const paths = (await loadPageRoutes()).map(({ path }) => path);
  expect(paths.toSorted()).toEqual([
    "/explorer",
    "/explorer/",
    "/explorer/app.css",
    "/explorer/app.js",
    "/explorer/icon.svg",
  ]);
});
