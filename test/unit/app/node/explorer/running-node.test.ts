import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { startNode } from "#app/node/node.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";

/** The test process outlives any node failure. */
const PORTS = { exit: () => undefined, threadEnd: "terminate" } as const;

test("a node with the explorer serves the page, and lists of its indexed blocks", async () => {
  using folder = temporaryFolder();
  const end = new AbortController();
  const configOut = folder.file("out.json");
  const options = await nodeOptions({
    basePath: folder.file("data"),
    configOut,
    explorer: true,
    signal: end.signal,
  });
  const { closed } = await startNode(options, PORTS);
  try {
    const { rpc_url: url } = JSON.parse(readFileSync(configOut, "utf8")) as { rpc_url: string };
    const answer = async (path: string): Promise<unknown> =>
      (await fetch(new URL(`/explorer/api/${path}`, url))).json();
    const page = await fetch(new URL("/explorer/", url));
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html;charset=utf-8",
    ]);
    const isIndexed = async (): Promise<boolean> => {
      const { indexed } = (await answer("status")) as { indexed: { to: number | null } };
      return indexed.to === 0;
    };
    expect(await untilTrue(isIndexed, 40_000)).toBe(true);
    // Read by a query thread.
    const { items } = (await answer("declared?limit=1")) as { items: unknown[] };
    expect(items).toMatchObject([{ block_number: 0 }]);
  } finally {
    end.abort();
    await closed;
  }
});
