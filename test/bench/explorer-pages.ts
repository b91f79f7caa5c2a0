/**
 * Open pages of the explorer for `explorer.bench.ts`, in a separate process: each follows the chain and shows the overview,
 * with the page's own clients. Prints `ready` once all are connected, and a line of JSON, {@link PagesReport}, when
 * standard input ends.
 *
 * Arguments: URL, number of pages.
 */
import { ApiClient } from "#api/explorer/page/rpc/api-client.ts";
import { HeadFeed } from "#api/explorer/page/rpc/head-feed.ts";
import { numberOf } from "#api/explorer/page/rpc/json.ts";
import { RecentBlocks } from "#api/explorer/page/rpc/recent-blocks.ts";
import { nodeUrls } from "#api/explorer/page/rpc/urls.ts";

/** What the pages of one run did. */
export interface PagesReport {
  /** Loads of a part of a view. */
  readonly loads: number;
  readonly errors: number;
  /** Heads that the subscriptions announced. */
  readonly heads: number;
}

const [url = "", count = "50"] = process.argv.slice(2);
const urls = nodeUrls(`${url}/explorer/`);

/** Interval of `api/status` without changes, and its smallest pause, in milliseconds; as in the page. */
const STATUS_MS = 5_000;
const PAUSE_MS = 1_000;

/** Longest pause between a block and the loads that follow, in milliseconds; as in the page. */
const SPREAD_MS = 300;

/** Shortest time between two loads of the charts, in milliseconds; as in the page. */
const REST_MS = 5_000;

/** Blocks on the overview. */
const SHOWN = 10;

let [loads, errors, heads] = [0, 0, 0];
let isEnded = false;

/** Loads again after each change; changes during a load, or less than `restMs` after its start, count as one, as in the page. */
function live(load: () => Promise<unknown>, pauseMs = 0, restMs = 0): () => void {
  let isBusy = false;
  let isStale = false;
  let lastMs = -Infinity;
  return async function run(): Promise<void> {
    if (isEnded || performance.now() - lastMs < pauseMs) return;
    if (isBusy) {
      isStale = true;
      return;
    }
    isBusy = true;
    lastMs = performance.now();
    await load().catch(() => errors++);
    loads++;
    if (restMs > 0) await Bun.sleep(Math.max(0, lastMs + restMs - performance.now()));
    isBusy = false;
    if (!isStale) return;
    isStale = false;
    void run();
  };
}

/** Opens a page. Settles when it is connected. */
function open(): Promise<void> {
  const api = new ApiClient(urls.api);
  const blocks = new RecentBlocks(api, SHOWN);
  let [newest, revision, isPausing] = [-1, 0, false];
  const status = live(() => api.get("status"), PAUSE_MS);
  const parts = [
    status,
    live(() => api.get("activity"), 0, REST_MS),
    live(async () => {
      if (newest !== -1) await blocks.load(newest, revision, { blocks: SHOWN, transactions: 0 });
    }),
  ];
  const changed = (): void => {
    revision++;
    parts.forEach((part) => part());
  };
  setInterval(status, STATUS_MS);
  const { promise, resolve } = Promise.withResolvers<void>();
  new HeadFeed(urls.webSocket, {
    head(header) {
      heads++;
      newest = numberOf(header["block_number"]) ?? newest;
      if (isPausing) return;
      isPausing = true;
      setTimeout(() => {
        isPausing = false;
        changed();
      }, Math.random() * SPREAD_MS);
    },
    reorg: changed,
    connected(isOpen) {
      if (!isOpen) return;
      changed();
      resolve();
    },
  }).start();
  return promise;
}

await Promise.all(Array.from({ length: Number(count) }, open));
console.log("ready");
// Standard input ends with the measurement.
await new Response(Bun.stdin.stream()).arrayBuffer();
isEnded = true;
const report: PagesReport = { loads, errors, heads };
console.log(JSON.stringify(report));
process.exit(0);
