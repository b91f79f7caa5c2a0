import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  behind,
  changed,
  cut,
  cutShort,
  elsewhere,
  endless,
  hanging,
  honestly,
  inTurn,
  late,
  replaced,
  says,
  status,
  throttled,
} from "#test/helpers/gateway-lies.ts";
import { type GatewayProxy, type Lie, startGatewayProxy } from "#test/helpers/gateway-proxy.ts";

const HEAD = 7;

/** A gateway that serves each block as its number. */
function numbersUpTo(head: number) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method === "POST") return new Response(await request.text());
      const asked = searchParams.get("blockNumber") ?? "latest";
      const number = /^\d+$/.test(asked) ? Number(asked) : head;
      if (number > head) return new Response("{}", { status: 400 });
      const headers = { etag: `"${number}"`, "content-type": "application/json" };
      return Response.json({ block_number: number, pathname }, { headers });
    },
  });
}

const honest = numbersUpTo(HEAD);
const other = numbersUpTo(HEAD + 5);
let proxy: GatewayProxy;

beforeEach(async () => {
  proxy = await startGatewayProxy(honest.url.origin);
});
afterAll(() => Promise.all([honest.stop(true), other.stop(true)]));

const ask = (query = "", route = "get_block"): Promise<Response> =>
  fetch(`${proxy.url}/feeder_gateway/${route}${query}`, {
    redirect: "manual",
    signal: AbortSignal.timeout(500),
  });
const numberOf = async (query: string, route?: string): Promise<unknown> =>
  ((await (await ask(query, route)).json()) as { block_number?: unknown }).block_number;

describe("the gateway proxy", () => {
  test("forwards and counts requests that no rule matches", async () => {
    const said = await ask("?blockNumber=3");
    expect([said.status, said.headers.get("etag")]).toEqual([200, '"3"']);
    expect(await said.json()).toEqual({ block_number: 3, pathname: "/feeder_gateway/get_block" });
    expect((await ask("?blockNumber=8")).status).toBe(400);
    const sent = await fetch(`${proxy.url}/gateway/add_transaction`, {
      method: "POST",
      body: "{}",
    });
    expect(await sent.text()).toBe("{}");
    expect(proxy.routes).toEqual(["get_block", "get_block", "add_transaction"]);
  });

  test("applies the newest matching rule, by route, block and remaining uses", async () => {
    const first = proxy.add({ routes: ["get_block"], lie: says("1") });
    proxy.add({ blockNumber: 3, times: 2, lie: says("2") });
    const texts: string[] = [];
    for (const query of ["?blockNumber=3", "?blockNumber=2", "?blockNumber=3", "?blockNumber=3"]) {
      texts.push(await (await ask(query)).text());
    }
    expect(texts).toEqual(["2", "1", "2", "1"]);
    first.end();
    expect([first.used, await numberOf("?blockNumber=3")]).toEqual([2, 3]);
    expect(await numberOf("", "get_state_update")).toBe(HEAD);
  });

  test("serves the chain of a lagging replica", async () => {
    proxy.add({ lie: behind(3) });
    expect(await numberOf("")).toBe(HEAD - 3);
    expect(await numberOf("?blockNumber=pending", "get_state_update")).toBe(HEAD - 3);
    expect(await numberOf("?blockNumber=4")).toBe(4);
    expect((await ask("?blockNumber=5")).status).toBe(400);
    expect((await ask("?blockNumber=latest", "get_preconfirmed_block")).status).toBe(400);
  });

  test("rotates between behaviours and switches the upstream gateway", async () => {
    proxy.add({ lie: inTurn(behind(3), honestly) });
    expect([await numberOf(""), await numberOf(""), await numberOf("")]).toEqual([4, 7, 4]);
    proxy.upstream = other.url.origin;
    expect([await numberOf(""), await numberOf("")]).toEqual([12, 9]);
  });

  test("changes response members and replaces routes", async () => {
    proxy.add({ lie: changed((answer) => (answer["block_number"] = -1)) });
    expect(await numberOf("?blockNumber=3")).toBe(-1);
    proxy.add({ lie: replaced("get_block", "other") });
    expect(((await (await ask()).json()) as { pathname: string }).pathname).toContain("other");
  });

  test("throttles, delays, redirects and breaks connections", async () => {
    proxy.add({ times: 1, lie: throttled(9) });
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "9"]);
    proxy.add({ times: 1, lie: status(502) });
    expect((await ask()).status).toBe(502);
    proxy.add({ times: 1, lie: elsewhere("http://127.0.0.1:1/") });
    expect((await ask()).status).toBe(302);
    proxy.add({ times: 1, lie: late(20) });
    expect(await numberOf("")).toBe(HEAD);
    const endings: readonly (readonly [string, Lie])[] = [
      ["cut", cut],
      ["cut short", cutShort],
      ["hanging", hanging],
      ["endless", endless("a", 1)],
    ];
    for (const [name, lie] of endings) {
      // Without a number of uses: clients retry immediately over a new connection.
      const rule = proxy.add({ lie });
      const ended = await ask()
        .then((said) => said.text())
        .then(
          () => "answered",
          () => "failed",
        );
      expect([name, ended]).toEqual([name, "failed"]);
      rule.end();
    }
    await proxy[Symbol.asyncDispose]();
  });
});
