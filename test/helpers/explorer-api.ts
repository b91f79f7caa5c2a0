import { createExplorerTable, type ExplorerData, explorerRoutes } from "#api/explorer/index.ts";
import type { QueryContext, RateLimiter } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import { ExplorerFile, openExplorerStore } from "#io/storage/index.ts";
import { explorerRows } from "#services/explorer-index/index.ts";
import { createFakeChain, type FakeBlock } from "./fake-chain.ts";
import { httpHandler, httpRequest, textOf } from "./http-handler.ts";
import { sampleContext } from "./sample-chain.ts";
import { localPool } from "./serving.ts";
import { temporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

/** Status of a made-up node. */
export const STATUS: Awaited<ReturnType<ExplorerData["status"]>> = {
  indexed: { from: 0, to: 4 },
  head: 5,
  role: "full node",
  leader: false,
  lagBlocks: 2,
  ready: { isReady: false, reason: "the source does not respond" },
  l1Accepted: 3,
  capacity: { l2GasPerBlock: 5_800_000_000n, blockTimeMs: null },
  waiting: null,
  isDevnet: false,
  fork: { origin: "https://node.example:443", blockNumber: 9, blockHash: 0xabcn },
  refusedBlocks: null,
  chainId: "SN_TEST",
  version: "0.7.0",
  feeTokens: { strk: 0x57n, eth: 0xe7n },
};

/** What a made-up node has rejected. */
export const REJECTED: ReturnType<ExplorerData["rejected"]> = {
  transactions: [
    {
      hash: 0xabn,
      sender: 0x5en,
      code: "EXPIRED",
      reason: "the transaction waited longer than mempool_ttl",
      wasReceived: true,
      unixMs: 2_000,
    },
    {
      hash: null,
      sender: null,
      code: "VALIDATION_FAILURE",
      reason: "wrong signature",
      wasReceived: false,
      unixMs: 1_000,
    },
  ],
  blocks: [
    {
      blockNumber: 7,
      blockHash: 0xb7n,
      check: "state_root",
      reason: "state_root: expected 0x1, found 0x2",
      source: "gateway.example",
      count: 3,
      unixMs: 3_000,
    },
  ],
};

/** Response of the explorer's API. */
export interface ExplorerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Explorer's API over a chain in memory and an index in a file. */
export interface ExplorerApi extends Disposable {
  readonly folder: TemporaryFolder;
  /** Path of the index. */
  readonly path: string;
  /** How often the API reported damage. */
  readonly damages: () => number;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ExplorerResponse>;
  post(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ExplorerResponse>;
  send(
    method: string,
    path: string,
    host?: string,
  ): Promise<{ readonly status: number; readonly text: string }>;
}

/** Parts of {@link explorerApi} that a test sets. */
export interface ExplorerApiParts {
  /** Chain that clients see; by default the indexed one. */
  readonly chain?: ChainReader;
  readonly isStopped?: () => boolean;
  readonly nowMs?: number;
  /** Traces; a request for one fails by default. */
  readonly tracing?: QueryContext["tracing"];
  /** Differences from {@link STATUS}. */
  readonly status?: Partial<typeof STATUS>;
  readonly rateLimiter?: RateLimiter;
  /** Version of chain and index; always the same by default. */
  readonly version?: () => string;
}

/** Indexes blocks, and serves the explorer's API about them. */
export async function explorerApi(
  blocks: readonly FakeBlock[],
  parts: ExplorerApiParts = {},
): Promise<ExplorerApi> {
  const folder = temporaryFolder();
  const path = folder.file("explorer.db");
  const store = await openExplorerStore(path, "SN_TEST");
  store.append(blocks.map(explorerRows));
  store.close();
  const file = new ExplorerFile(path, "SN_TEST");
  const { chain = createFakeChain(blocks), isStopped = () => false } = parts;
  const { tracing } = parts;
  const context = sampleContext({
    chain,
    isStopped,
    ...(tracing === undefined ? {} : { tracing }),
  });
  let damages = 0;
  const sideRoutes = explorerRoutes({
    assets: [],
    data: {
      queryPool: localPool(context, [createExplorerTable(file)]),
      version: parts.version ?? (() => ""),
      status: () => Promise.resolve({ ...STATUS, ...parts.status }),
      rejected: () => REJECTED,
      damaged: () => void damages++,
      nowMs: () => parts.nowMs ?? 0,
    },
  });
  const handler = httpHandler({
    sideRoutes,
    rateLimiter: parts.rateLimiter ?? null,
    maxBodyBytes: 100_000,
  });
  return {
    folder,
    path,
    damages: () => damages,
    async get(target, headers = {}) {
      const reply = await handler(
        httpRequest("GET", `/explorer/api/${target}`, { host: "localhost", ...headers }),
      );
      return {
        status: reply.status,
        headers: reply.headers,
        body: JSON.parse(textOf(reply)) as JsonObject,
      };
    },
    async post(target, body, headers = {}) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const sent = { host: "localhost", "content-type": "application/json", ...headers };
      const reply = await handler(httpRequest("POST", `/explorer/api/${target}`, sent, text));
      return {
        status: reply.status,
        headers: reply.headers,
        body: JSON.parse(textOf(reply)) as JsonObject,
      };
    },
    async send(method, target, host = "localhost") {
      const reply = await handler(httpRequest(method, `/explorer/api/${target}`, { host }));
      return { status: reply.status, text: textOf(reply) };
    },
    [Symbol.dispose]() {
      file.close();
      folder[Symbol.dispose]();
    },
  };
}
