import type { Timer } from "#base/primitives/index.ts";
import { L1_LIMITS, type L1Finality, type L1Source } from "#io/l1/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import {
  type L1Alarm,
  type L1ChainPort,
  type L1HandlerOrder,
  type L1HandlerOutcome,
  L1Watcher,
  type MessageIndex,
  StateWatch,
} from "#services/l1-watch/index.ts";
import type { L1Options } from "../setup/l1-options.ts";
import type { L1Report } from "./reports/l1-report.ts";
import type { L1ProductionPorts, L1RolePorts } from "./l1-connection.ts";
import { L1FollowState } from "./l1-follow-state.ts";
import { messageListing, type MessageTaker, messageWatch } from "./message-takers.ts";

/** Interval between two polls of L1, in milliseconds. */
export const POLL_MS = 2_000;

/** Dependencies of {@link L1Run}. */
export interface L1RunDeps {
  readonly source: Pick<L1Source, "blockBefore" | "stateReports" | "view">;
  readonly finality: L1Finality;
  readonly acceptedDivergences: L1Options["acceptedDivergences"];
  readonly config: Pick<ChainConfig, "chainId" | "l1MessagesReplayMaxDurationMs">;
  readonly chain: L1ChainPort;
  readonly ports: L1RolePorts;
  readonly report: L1Report;
  readonly index: MessageIndex;
  readonly onAlarm: (alarm: L1Alarm) => void;
  readonly timer: Timer;
}

/** Follows L1 from a start of the threads to their stop; has no effect after it. */
export class L1Run {
  readonly #deps: L1RunDeps;
  readonly #watcher: L1Watcher;
  readonly #messages: MessageTaker;
  readonly #followState = new L1FollowState();
  #isOver = false;

  constructor(deps: L1RunDeps) {
    const { source, finality, acceptedDivergences, config, chain, ports, report, timer } = deps;
    this.#deps = deps;
    const { production } = ports;
    const takerDeps = { ...deps, onAlarm: (alarm: L1Alarm) => this.#alarm(alarm) };
    this.#messages =
      production === null
        ? messageListing(takerDeps)
        : messageWatch(takerDeps, (orders) => this.#execute(production, orders));
    const state = new StateWatch({
      chain,
      acceptedDivergences,
      settle: (blockNumber) => this.#settle(blockNumber),
      onMismatch: (alarm) => this.#alarm(alarm),
      onEvent: (event) => {
        this.#followState.state(event);
        report.state(event);
      },
      onUpdate: (update) => report.update(update),
    });
    this.#watcher = new L1Watcher({
      source,
      state,
      messages: this.#messages,
      finality,
      replayMs: config.l1MessagesReplayMaxDurationMs,
      pollMs: POLL_MS,
      rangeBlocks: L1_LIMITS.maxRangeBlocks,
      timer,
      nowUnixMs: () => Date.now(),
      onEvent: (event) => {
        this.#followState.watch(event);
        report.watch(event);
      },
    });
  }

  /** Number of messages that are final on L1 and in no block yet. */
  get backlog(): number {
    return this.#messages.backlog;
  }

  /** Reason why L1 is not followed at present; `undefined` while it is. */
  get finding(): string | undefined {
    return this.#followState.finding;
  }

  start(): void {
    this.#watcher.start();
  }

  /** Stops: work in flight no longer has an effect. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#messages.stop();
    await this.#watcher.stop();
  }

  async #settle(blockNumber: number): Promise<boolean> {
    const { chain, ports, report } = this.#deps;
    const header = this.#isOver ? undefined : chain.header(blockNumber);
    if (header === undefined || !(await ports.settle(blockNumber, header.hash))) return false;
    report.settled(blockNumber);
    return true;
  }

  async #execute(
    { execute }: L1ProductionPorts,
    orders: readonly L1HandlerOrder[],
  ): Promise<readonly L1HandlerOutcome[]> {
    return this.#isOver ? orders.map(() => ({ kind: "interrupted" })) : execute(orders);
  }

  #alarm(alarm: L1Alarm): void {
    if (!this.#isOver) this.#deps.onAlarm(alarm);
  }
}
