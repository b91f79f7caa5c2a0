import type { NodeMetrics } from "#base/metrics/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { L1EndpointState } from "#io/l1/index.ts";
import type {
  L1Alarm,
  L1StateUpdate,
  L1WatchEvent,
  MessageEvent,
  PriceEvent,
  StateEvent,
} from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import { type L1Figures, L1Gauges, type AcceptedBlocks } from "./l1-gauges.ts";
import { L1MessageLog } from "./l1-message-log.ts";
import { L1Log } from "./l1-log.ts";

/** Dependencies of {@link L1Report}. */
export interface L1ReportDeps {
  readonly log: Logger;
  readonly metrics: NodeMetrics;
  readonly timer: Timer;
}

/** Reports to log and metrics how L1 is followed. */
export class L1Report {
  readonly #log: L1Log;
  readonly #messages: L1MessageLog;
  readonly #gauges: L1Gauges;

  constructor({ log, metrics, timer }: L1ReportDeps) {
    this.#log = new L1Log({ log, nowMs: () => timer.nowMs() });
    this.#messages = new L1MessageLog({ log, timer });
    this.#gauges = new L1Gauges(metrics);
  }

  /** Reports a state change of an endpoint. */
  endpoint(name: string, state: L1EndpointState, reason: string | undefined): void {
    this.#log.endpoint(name, state, reason);
    this.#gauges.endpoint(name, state);
  }

  /** Reports an endpoint without `eth_feeHistory`. */
  noFeeHistory(name: string, reason: string): void {
    this.#log.noFeeHistory(name, reason);
  }

  watch(event: L1WatchEvent): void {
    this.#log.watch(event);
    this.#gauges.watch(event);
  }

  price(event: PriceEvent): void {
    this.#log.price(event);
    this.#gauges.price(event);
  }

  /** Reports the prices of blocks opened from now on. */
  prices(prices: L1Prices): void {
    this.#gauges.prices(prices);
  }

  message(event: MessageEvent): void {
    this.#messages.message(event);
    this.#gauges.message(event);
  }

  /** Reports how updates that differ from the chain are resolved. */
  state(event: StateEvent): void {
    this.#log.state(event);
    this.#gauges.state(event);
  }

  /** Reports a newer state of the chain on L1. */
  update(update: L1StateUpdate): void {
    this.#log.update(update);
  }

  /** Reports that a block and all before it are accepted on L1. */
  settled(blockNumber: number): void {
    this.#log.settled(blockNumber);
  }

  /** Reports an alarm: production is halted, or the served data cannot be trusted. */
  alarm(alarm: L1Alarm): void {
    this.#log.alarm(alarm);
    this.#gauges.alarm(alarm);
  }

  /** Resets the alarms, because L1 is compared again. */
  restarted(): void {
    this.#gauges.restarted();
  }

  /** Updates the metrics before they are read. */
  refresh(chain: AcceptedBlocks, figures: L1Figures): void {
    this.#gauges.refresh(chain, figures);
  }

  /** Logs the count of suppressed lines. */
  flush(): void {
    this.#messages.flush();
  }
}
