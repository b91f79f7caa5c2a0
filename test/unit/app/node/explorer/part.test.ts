import { describe, expect, test } from "bun:test";
import { type ExplorerNeeds, openExplorer } from "#app/node/explorer/part.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { DEVNET } from "#app/node/threads/roles/devnet.ts";
import { Rejections } from "#app/node/explorer/rejections/rejections.ts";
import type { FromExplorer, ToExplorer } from "#app/node/threads/explorer-messages.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { NOTHING_LISTED } from "#services/admission/index.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { httpHandler, httpRequest, textOf } from "#test/helpers/http-handler.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";

/** The explorer of a chain whose newest block is 4. */
async function world(answer = '{"result":{"items":[]}}', changed: Partial<NodeSetup> = {}) {
  const port = fakePort<FromExplorer, ToExplorer>();
  const lines: string[] = [];
  const timer = new FakeTimer();
  const { chain: config } = await nodeOptions({});
  const rejections = new Rejections(() => 9_000);
  let head: (number: number) => void = () => undefined;
  let l1Accepted = 2;
  let queries = 0;
  const needs = {
    threads: { end: () => ({ port }) },
    storage: {
      view: {
        chain: { latestNumber: () => 4, l1AcceptedNumber: () => l1Accepted },
        onHead: (listener: typeof head) => void (head = listener),
      },
    },
    queryPool: {
      run() {
        queries++;
        return Promise.resolve(new TextEncoder().encode(answer));
      },
    },
    roles: {
      role: DEVNET,
      setup: { ...ORDINARY_SETUP, config, ...changed },
      following: () => null,
      waiting: () => Promise.resolve({ ...NOTHING_LISTED, waiting: 3 }),
    },
    leadership: { leads: () => true },
    rejections,
  } as unknown as ExplorerNeeds;
  const log = createLogger({
    level: "info",
    format: "text",
    write: (line) => void lines.push(line),
  });
  const sideRoutes = await openExplorer({ explorer: true, version: "1.2.3" }, needs, {
    log,
    timer,
  });
  const handler = httpHandler({ sideRoutes });
  const get = async (
    name: string,
  ): Promise<{ readonly status: number; readonly body: unknown }> => {
    const reply = await handler(httpRequest("GET", `/explorer/api/${name}`));
    return { status: reply.status, body: JSON.parse(textOf(reply)) as unknown };
  };
  return {
    ...{ port, lines, timer, rejections, handler, get },
    queries: () => queries,
    grow: (number: number) => head(number),
    accept: (number: number) => (l1Accepted = number),
  };
}

test("uses no thread and serves nothing without the option", async () => {
  const needs = { threads: { end: () => expect.unreachable() } } as unknown as ExplorerNeeds;
  const host = {} as Parameters<typeof openExplorer>[2];
  expect(await openExplorer({ explorer: false, version: "" }, needs, host)).toEqual([]);
});

test("sends the thread the newest block when it starts, and each new one", async () => {
  const { port, grow } = await world();
  port.tell({ kind: "headNeeded" });
  grow(5);
  expect(port.sent).toEqual([
    { kind: "head", number: 4 },
    { kind: "head", number: 5 },
  ]);
});

test("the list of blocks is computed again for a new block, an acceptance on L1 and progress of the index", async () => {
  const { get, queries, grow, accept, port } = await world();
  const changes = [
    () => undefined,
    () => grow(5),
    // A revert may end at the same number.
    () => grow(5),
    () => accept(3),
    () => port.tell({ kind: "index", report: { kind: "indexed", from: 0, to: 5 } }),
  ];
  for (const [i, change] of changes.entries()) {
    change();
    await get("blocks");
    await get("blocks");
    expect(queries()).toBe(i + 1);
  }
});

test("the status has what the parts of the node say", async () => {
  const { port, get } = await world();
  port.tell({ kind: "index", report: { kind: "indexed", from: 0, to: 3 } });
  const { status, body } = await get("status");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    indexed: { from: 0, to: 3 },
    head: 4,
    role: "devnet",
    leader: true,
    lag_blocks: 0,
    ready: { is_ready: true, reason: null },
    l1: { accepted: 2 },
    mempool: { waiting: 3 },
    devnet: false,
    fork: null,
    version: "1.2.3",
  });
});

test("the lists of rejections are those of the node", async () => {
  const { get, rejections } = await world();
  expect((await get("status")).body).toMatchObject({ refused_blocks: null });
  rejections.rejected([{ hash: 0xabn, sender: 0x5en, code: "EXPIRED", reason: "too late" }]);
  const refusal = { check: "state_root", blockNumber: 5, message: "other root" } as const;
  rejections.refusedBlock(refusal, "gateway.example");
  const block = { block_number: 5, reason: "other root", source: "gateway.example" };
  expect((await get("status")).body).toMatchObject({ refused_blocks: [block] });
  expect((await get("rejected")).body).toMatchObject({
    transactions: [{ hash: "0xab", reason: "too late", unix_ms: 9_000 }],
    blocks: [block],
  });
});

test("the status of a full node and of a fork names what they follow", async () => {
  const fork = { origins: ["https://node.example:443"], forkBlock: 9, blockHash: 0xabcn };
  const { get } = await world(undefined, { follow: {}, fork } as unknown as Partial<NodeSetup>);
  expect((await get("status")).body).toMatchObject({
    leader: false,
    capacity: { block_time_ms: null },
    mempool: { waiting: null },
    fork: { origin: "https://node.example:443", block_number: 9, block_hash: "0xabc" },
  });
});

test("serves the page next to its data", async () => {
  const { handler } = await world();
  const reply = await handler(httpRequest("GET", "/explorer/"));
  expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/html;charset=utf-8"]);
});

describe("reports of the thread", () => {
  test("about pauses and rebuilds are logged", async () => {
    const { port, lines } = await world();
    port.tell({ kind: "index", report: { kind: "paused", reason: "the disk is full" } });
    port.tell({ kind: "index", report: { kind: "continued" } });
    port.tell({ kind: "index", report: { kind: "rebuilt", reason: "it is damaged" } });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/WARN.*the node retries.*the disk is full/);
    expect(lines[2]).toMatch(/built again.*it is damaged/);
  });

  test("about a rebuild show an empty index", async () => {
    const { port, get } = await world();
    port.tell({ kind: "index", report: { kind: "indexed", from: 0, to: 3 } });
    port.tell({ kind: "index", report: { kind: "rebuilt", reason: "it is damaged" } });
    expect((await get("status")).body).toMatchObject({ indexed: { from: 0, to: null } });
  });
});

test("damage that requests find is reported to the thread, at most every ten minutes", async () => {
  const { port, get, timer } = await world('{"result":"damaged"}');
  const rebuild = { kind: "rebuild", reason: "a request found it damaged" } as const;
  expect((await get("declared")).status).toBe(503);
  await get("declared");
  expect(port.sent).toEqual([rebuild]);
  timer.advance(600_000);
  await get("declared");
  expect(port.sent).toEqual([rebuild, rebuild]);
});

test("a query beyond the node's capacity is refused as by JSON-RPC", async () => {
  const { get } = await world('{"error":{"code":-32005,"message":"busy","data":"try later"}}');
  expect(await get("declared")).toEqual({ status: 429, body: { error: { message: "try later" } } });
});
