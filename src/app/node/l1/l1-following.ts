import type { Logger } from "#base/telemetry/index.ts";
import type { L1Alarm } from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import type { FollowedL1 } from "../threads/roles/followed-l1.ts";
import { L1Run, type L1RunDeps } from "./l1-run.ts";

/** What L1 is followed with for a role. */
export interface L1FollowingDeps extends Omit<L1RunDeps, "onAlarm"> {
  readonly log: Pick<Logger, "warn">;
}

/**
 * Follows L1 for a role. Whenever the threads have stopped and started again the chain may be another:
 * then everything that L1 has is looked at anew, and an alarm is over unless it is found again.
 */
export class L1Following implements FollowedL1 {
  readonly #deps: L1FollowingDeps;
  #run: L1Run | undefined;
  #alarm: L1Alarm | undefined;
  /** The newest; `undefined`: none were told since the start. */
  #prices: L1Prices | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(deps: L1FollowingDeps) {
    this.#deps = deps;
  }

  /** Messages that count on L1 and are in no block yet. */
  get backlog(): number {
    return this.#run?.backlog ?? 0;
  }

  alarm(): string | undefined {
    return this.#alarm?.message;
  }

  finding(): string | undefined {
    return this.#run?.finding;
  }

  /** L1 tells other prices. */
  setPrices(prices: L1Prices): void {
    this.#prices = prices;
    // Threads that are gone are told when they are there again.
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
    if (this.#alarm !== undefined) log.warn("the chain is compared with L1 once more");
    this.#alarm = undefined;
    report.begun();
    if (this.#prices !== undefined) this.#tell(this.#prices);
    this.#run = new L1Run({ ...this.#deps, onAlarm: (alarm) => this.#raise(alarm) });
    this.#run.start();
  }

  stop(): void {
    this.#isStopped = true;
    this.hold();
  }

  /** The same; settles when nothing is under way any more. */
  async end(): Promise<void> {
    this.stop();
    await this.#ended;
  }

  #tell(prices: L1Prices): void {
    const { ports, report } = this.#deps;
    ports.production?.setPrices(prices);
    report.prices(prices);
  }

  /** Stops the chain at the first alarm. Later ones follow from it, and are not reported. */
  #raise(alarm: L1Alarm): void {
    if (this.#alarm !== undefined) return;
    const { ports, report } = this.#deps;
    this.#alarm = alarm;
    ports.production?.halt(alarm.message);
    report.alarm(alarm);
  }
}
