import { describe, expect, test } from "bun:test";
import { blockIdOf } from "#api/explorer/page/rpc/block-id.ts";
import { nodeUrls } from "#api/explorer/page/rpc/urls.ts";
import { hrefOf, routeOf } from "#api/explorer/page/state/route-text.ts";

describe("addresses in the page", () => {
  test("a view and its parameters survive a reload", () => {
    const href = hrefOf("contract", "0x1", { tab: "read" });
    const { view, id, query } = routeOf(href);
    expect([view, id, query.get("tab")]).toEqual(["contract", "0x1", "read"]);
  });

  test("a search keeps every character", () => {
    const text = "a/b?c#d%&=ü";
    expect(routeOf(hrefOf("search", text)).id).toBe(text);
  });

  test("a malformed escape is shown as it is", () => {
    expect(routeOf("#/search/%E0%A4").id).toBe("%E0%A4");
  });

  test.each([
    [
      "http://localhost:5050/explorer/",
      "http://localhost:5050/rpc/v0_10",
      "ws://localhost:5050/rpc/v0_10",
    ],
    [
      "https://a.example/x/explorer/#/tx/0x1",
      "https://a.example/x/rpc/v0_10",
      "wss://a.example/x/rpc/v0_10",
    ],
  ])("a page at %s uses the node at %s", (page, rpc, webSocket) => {
    expect(nodeUrls(page)).toEqual({ rpc, webSocket, api: new URL("api/", page).href });
  });

  test("a block is named by number, hash or tag", () => {
    expect([blockIdOf("12"), blockIdOf("0xab"), blockIdOf("latest")]).toEqual([
      { block_number: 12 },
      { block_hash: "0xab" },
      "latest",
    ]);
  });
});
