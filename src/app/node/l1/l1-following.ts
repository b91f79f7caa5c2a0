import type { Logger } from "#base/telemetry/index.ts";
import type { L1Alarm } from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import type { FollowedL1 } from "../threads/roles/followed-l1.ts";
import { L1Run, type L1RunDeps } from "./l1-run.ts";

/** Dependencies of {@link L1Following}. */
export interface L1FollowingDeps extends Omit<L1RunDeps, "onAlarm"> {
  readonly log: Pick<Logger, "warn">;
}

/**
 * Follows L1 for a role. A restart of the threads may bring another chain: then all data of L1 is compared
 * again, and an alarm ends unless it is raised again.
 */
export class L1Following implements FollowedL1 {
  readonly #deps: L1FollowingDeps;
  #run: L1Run | undefined;
  #alarm: L1Alarm | undefined;
  /** Newest prices; `undefined` until the first report. */
  #prices: L1Prices | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(deps: L1FollowingDeps) {
    this.#deps = deps;
  }

  /** Number of messages that are final on L1 and in no block yet. */
  get backlog(): number {
    return this.#run?.backlog ?? 0;
  }

  alarm(): string | undefined {
    return this.#alarm?.message;
  }

  finding(): string | undefined {
    return this.#run?.finding;
  }

  /** Applies new prices from L1. */
  setPrices(prices: L1Prices): void {
    this.#prices = prices;
    // After a restart, {@link release} sends them to the threads.
    if (this.#run !== undefined) this.#tell(prices);
  }

  hold(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#run = undefined;
    this.#ended = Promise.all([this.#ended, run.stop()]);
  }

  release(): void {
    if (this.#run !== undefined || this.#isStopped) return;
    const { log, report } = this.#deps;
    if (this.#alarm !== undefined) log.warn("the chain is compared with L1 again");
    this.#alarm = undefined;
    report.restarted();
    if (this.#prices !== undefined) this.#tell(this.#prices);
    this.#run = new L1Run({ ...this.#deps, onAlarm: (alarm) => this.#raise(alarm) });
    this.#run.start();
  }

  stop(): void {
    this.#isStopped = true;
    this.hold();
  }

  /** Stops; resolves when nothing is in flight. */
  async end(): Promise<void> {
    this.stop();
    await this.#ended;
  }

  #tell(prices: L1Prices): void {
    const { ports, report } = this.#deps;
    ports.production?.setPrices(prices);
    report.prices(prices);
  }

  /** Halts the chain at the first alarm. Later ones follow from it and are not reported. */
  #raise(alarm: L1Alarm): void {
    if (this.#alarm !== undefined) return;
    const { ports, report } = this.#deps;
    this.#alarm = alarm;
    ports.production?.halt(alarm.message);
    report.alarm(alarm);
  }
}
