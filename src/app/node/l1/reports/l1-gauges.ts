import type { NodeMetrics } from "#base/metrics/index.ts";
import type { L1EndpointState } from "#io/l1/index.ts";
import type {
  L1Alarm,
  L1WatchEvent,
  MessageEvent,
  PriceEvent,
  StateEvent,
} from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";

const STATES: readonly L1EndpointState[] = ["unknown", "in use", "standing by", "left"];

/** Chain data that is read for each scrape. */
export interface AcceptedBlocks {
  /** Newest accepted block; `undefined` if none. */
  latestNumber(): number | undefined;
  /** Newest block accepted on L1; `undefined` if none. */
  l1AcceptedNumber(): number | undefined;
}

/** Values of the L1 metrics that no event reports; they are read at each scrape. */
export interface L1Figures {
  /** Age of the current prices, in milliseconds; 0 if all are fixed. */
  readonly priceAgeMs: number;
  /** Number of messages that are final on L1 and in no block yet. */
  readonly backlog: number;
}

/** Metrics of following L1. */
export class L1Gauges {
  readonly #metrics: NodeMetrics;

  constructor(metrics: NodeMetrics) {
    this.#metrics = metrics;
  }

  endpoint(endpoint: string, now: L1EndpointState): void {
    const { endpointState } = this.#metrics.l1;
    for (const state of STATES) endpointState.labels(endpoint, state).set(state === now ? 1 : 0);
  }

  watch(event: L1WatchEvent): void {
    const { l1 } = this.#metrics;
    if (event.kind === "stepped") {
      l1.notFollowed.set(0);
      l1.headBlock.set(event.head.number);
      l1.finalBlock.set(event.read);
    } else if (event.kind === "failed") {
      l1.stepFailures.labels(event.part).inc();
      if (event.part === "logs") l1.notFollowed.set(1);
    }
    if (event.kind === "reorganized") l1.reorgs.inc();
  }

  price(event: PriceEvent): void {
    if (event.kind === "held_back") this.#metrics.l1.pricesHeldBack.inc();
  }

  /** Sets the prices of the next block. */
  prices({ l1GasWei, friPerWei }: L1Prices): void {
    const { l1, l1GasPriceWei, l1GasPriceStrk } = this.#metrics;
    const fri = Number((l1GasWei * friPerWei.numerator) / friPerWei.denominator);
    for (const gauge of [l1.gasPriceWei, l1GasPriceWei]) gauge.set(Number(l1GasWei));
    for (const gauge of [l1.gasPriceStrk, l1GasPriceStrk]) gauge.set(fri);
  }

  message(event: MessageEvent): void {
    const { l1 } = this.#metrics;
    if (event.kind === "batch") l1.messagesConsumed.inc(event.messages.included);
    else if (event.kind === "held_back") l1.messagesSkipped.labels(event.message.reason.kind).inc();
  }

  alarm({ kind }: L1Alarm): void {
    const { l1 } = this.#metrics;
    l1.alarm.labels(kind).set(1);
    if (kind === "state_mismatch") l1.stateMismatch.set(1);
    l1.unconfirmedMismatch.set(0);
  }

  /** Records whether an update differs from the chain. */
  state({ kind }: StateEvent): void {
    const { l1 } = this.#metrics;
    if (kind === "refuted") l1.updatesRefuted.inc();
    else if (kind === "doubted") l1.unconfirmedMismatch.set(1);
    else if (kind === "resolved") l1.unconfirmedMismatch.set(0);
  }

  /** Resets the alarms, because L1 is compared again. */
  restarted(): void {
    const { l1 } = this.#metrics;
    l1.alarm.reset();
    l1.stateMismatch.set(0);
    l1.unconfirmedMismatch.set(0);
  }

  /** Updates the metrics before they are read. */
  refresh(chain: AcceptedBlocks, { backlog, priceAgeMs }: L1Figures): void {
    const { l1, l1BlockNumber } = this.#metrics;
    const settled = chain.l1AcceptedNumber() ?? -1;
    l1BlockNumber.set(settled);
    l1.settlementLagBlocks.set(Math.max(0, (chain.latestNumber() ?? -1) - settled));
    l1.messageBacklog.set(backlog);
    l1.priceAgeSeconds.set(priceAgeMs / 1000);
  }
}
