/**
 * Metrics: gauges of the node as a whole, and the Prometheus endpoint.
 *
 * - Options: `metrics`, `name`, `version`, `role`.
 * - Threads: none.
 * - Needs: the setup, and the newest stored block.
 * - Offers: {@link MetricsPart}: the age of the newest block, and work at each scrape for other parts.
 * - Routes: `/metrics`.
 * - Stops: with its address, which the endpoints close.
 */
import type { Listener } from "#api/rpc/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { screenLog, type StartScreenOptions } from "../setup/start-screen.ts";
import { BlockAge } from "./block-age.ts";
import { serveMetrics } from "./metrics-server.ts";
import { databaseBytes, freeBytes, startMetrics } from "./node-metrics.ts";

/** Metrics of a running node. */
export class MetricsPart {
  readonly blockAge: BlockAge;
  readonly #host: Pick<NodeHost, "log" | "metrics">;
  readonly #scrapes: (() => void)[] = [];

  constructor(blockAge: BlockAge, host: Pick<NodeHost, "log" | "metrics">) {
    this.blockAge = blockAge;
    this.#host = host;
  }

  /** Registers work that sets gauges; it runs at each scrape, before the answer. */
  onScrape(work: () => void): void {
    this.#scrapes.push(work);
  }

  /** Sets the gauges. */
  refresh(): void {
    for (const work of this.#scrapes) work();
  }

  /**
   * Serves the endpoint from now on.
   *
   * @param listener - `null` when the node has no endpoint
   * @returns the endpoint's URL; `null` when none
   */
  serve(listener: Listener | null): string | null {
    const { metrics, log } = this.#host;
    const url = listener === null ? null : serveMetrics(listener, metrics, () => this.refresh());
    log.info(url === null ? "metrics endpoint: off" : `metrics endpoint at ${url}`);
    return url;
  }
}

/** Other parts of the node that {@link openMetrics} uses. */
export interface MetricsNeeds {
  readonly setup: Pick<NodeSetup, "l1Prices" | "follow" | "gate" | "files">;
  readonly storage: { readonly view: { readonly chain: Pick<ChainReader, "latestNumber"> } };
}

/**
 * Sets the metrics that are known at the start, and registers those that are computed at each scrape, such as
 * sizes of files.
 */
export function openMetrics(
  options: Pick<NodeOptions, "name" | "version" | "role" | "chain"> & StartScreenOptions,
  { setup: { l1Prices, follow, gate, files }, storage }: MetricsNeeds,
  { metrics, log, timer }: Pick<NodeHost, "metrics" | "log" | "timer">,
): MetricsPart {
  startMetrics(
    metrics,
    options,
    follow === null ? l1Prices : null,
    storage.view.chain.latestNumber(),
  );
  metrics.replication.leader.set(follow === null && gate === null ? 1 : 0);
  const blockAge = new BlockAge(timer);
  const part = new MetricsPart(blockAge, { metrics, log: screenLog(options, log) });
  part.onScrape(() => {
    metrics.l2BlockAgeSeconds.set(blockAge.seconds());
    metrics.databaseSizeBytes.set(databaseBytes(files));
    metrics.diskFreeBytes.set(freeBytes(files.folder));
  });
  return part;
}
