import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OriginRemote, originQueryText } from "#io/origin/index.ts";
import { decodePosition, encodePosition } from "#io/origin/remote/events/event-token.ts";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  type OriginChain,
} from "#test/helpers/origin-chain.ts";
import {
  errorResponse,
  type Instead,
  type OriginServer,
  remoteOptions,
  serveChain,
} from "#test/helpers/origin-server.ts";

const FORK = 9;
const ALL = { fromBlock: 2, toBlock: FORK, addresses: [], keys: [] } as const;

let origin: OriginChain;

beforeAll(async () => {
  origin = await openOriginChain(FORK + 1);
});
afterAll(() => origin[Symbol.dispose]());

interface Page {
  readonly events: readonly unknown[];
  readonly continuation_token?: string;
}

type Filter = Readonly<Record<string, unknown>>;

/** Filters of the event searches that a server received. */
const filtersAt = ({ requests }: OriginServer): readonly Filter[] =>
  requests.flatMap(({ calls }) =>
    calls.flatMap(({ method, params }) =>
      method === "starknet_getEvents" ? [params["filter"] as Filter] : [],
    ),
  );

const hasToken = (filter: Filter): boolean => filter["continuation_token"] !== undefined;

/** Responds to searches with a token as a node that does not know it. */
const FORGETFUL: Instead = ({ calls }) => {
  const isNext = calls.some(
    ({ method, params }) => method === "starknet_getEvents" && hasToken(params["filter"] as Filter),
  );
  return isNext ? errorResponse(calls, 33, "Invalid continuation token") : undefined;
};

const servers = () => [1, 2].map(() => serveChain(origin.chain, ORIGIN_CHAIN_ID, "0.10"));

async function pagesOf(urls: readonly string[]) {
  const remote = new OriginRemote(remoteOptions(urls, { timeoutMs: 4000 }));
  await remote.pin(FORK);
  const pageAt = async (token: string | null, chunkSize: number): Promise<Page> => {
    const query = { kind: "events", ...ALL, token, chunkSize } as const;
    const value = await remote.fetch(query, remote.task(originQueryText(query)));
    return JSON.parse(new TextDecoder().decode(must(value))) as Page;
  };
  const allOf = async (chunkSize: number): Promise<readonly unknown[]> => {
    const events: unknown[] = [];
    for (let token: string | undefined | null = null; token !== undefined;) {
      const page: Page = await pageAt(token, chunkSize);
      expect(page.events.length).toBeLessThanOrEqual(chunkSize);
      events.push(...page.events);
      token = page.continuation_token;
    }
    return events;
  };
  return { pageAt, allOf };
}

describe("pages of events of an origin with several URLs", () => {
  test("come from the URL that gave the token", async () => {
    const both = servers();
    await using stack = new AsyncDisposableStack();
    for (const server of both) stack.use(server);
    const { allOf } = await pagesOf(both.map(({ url }) => url));
    const expected = await (await pagesOf(both.slice(0, 1).map(({ url }) => url))).allOf(1000);
    for (const server of both) server.requests.length = 0;
    expect(await allOf(2)).toEqual(expected);
    const withTokens = both.filter((server) => filtersAt(server).some(hasToken));
    expect(withTokens).toHaveLength(1);
    expect(filtersAt(must(withTokens[0])).length).toBeGreaterThan(3);
  });

  test.each([1, 3, 1000])(
    "continue at the position if no URL knows the token, by %i",
    async (size) => {
      const both = servers();
      await using stack = new AsyncDisposableStack();
      for (const server of both) stack.use(server);
      const urls = both.map(({ url }) => url);
      const expected = await (await pagesOf(urls)).allOf(1000);
      for (const server of both) server.instead = FORGETFUL;
      expect(await (await pagesOf(urls)).allOf(size)).toEqual(expected);
    },
  );

  test("continue at another URL if that of the token is lost", async () => {
    const both = servers();
    await using stack = new AsyncDisposableStack();
    for (const server of both) stack.use(server);
    const { pageAt } = await pagesOf(both.map(({ url }) => url));
    const first = await pageAt(null, 2);
    const token = must(first.continuation_token);
    const expected = await pageAt(token, 3);
    const lost = both.find(({ name }) => name === decodePosition(token)?.url);
    must(lost).instead = () => new Response("", { status: 502 });
    expect((await pageAt(token, 3)).events).toEqual(expected.events);
  });

  test("continue at a URL of now if that of the token is of an earlier start", async () => {
    const [server] = servers();
    await using one = must(server);
    const { pageAt } = await pagesOf([one.url]);
    const token = must((await pageAt(null, 2)).continuation_token);
    const elsewhere = encodePosition({ ...must(decodePosition(token)), url: "http://gone" });
    expect(await pageAt(elsewhere, 3)).toMatchObject({ events: (await pageAt(token, 3)).events });
  });

  test.each([
    "",
    "7-0",
    "[]",
    '["a",1,2]',
    '["a",-1,2,"t"]',
    '["a",1,1.5,"t"]',
    '["a",1,0,"t"]',
    `["a",${FORK + 1},0,"t"]`,
  ])("have no other tokens: %s", async (token) => {
    const [server] = servers();
    await using one = must(server);
    const remote = new OriginRemote(remoteOptions([one.url]));
    await remote.pin(FORK);
    const query = { kind: "events", ...ALL, token, chunkSize: 3 } as const;
    expect(await remote.fetch(query, remote.task("events"))).toBeNull();
  });
});
