import { L1Error } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { describeError, type Logger } from "#base/telemetry/index.ts";
import type { L1Finality, StartableL1Source } from "#io/l1/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import {
  type FixedPrices,
  type L1ChainPort,
  MessageIndex,
  type PriceWatch,
} from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import type { L1Report } from "./reports/l1-report.ts";
import { logL1Prices, logNoL1 } from "./reports/l1-start-log.ts";
import type { L1Options } from "../setup/l1-options.ts";
import type { L1Connection, L1RolePorts } from "./l1-connection.ts";
import type { FollowedL1 } from "../threads/roles/followed-l1.ts";
import { L1Following } from "./l1-following.ts";
import { INDEXED_MESSAGES } from "./message-takers.ts";
import { checkL1 } from "./start-rules.ts";

/** Timeout of each L1 request during a start, in milliseconds. */
export const START_MS = 15_000;

/** Dependencies of {@link OpenedL1}. */
export interface OpenedL1Deps {
  readonly source: StartableL1Source;
  /** `null` if the role produces no blocks. */
  readonly prices: Pick<PriceWatch, "ageMs" | "first" | "resume" | "start" | "stop"> | null;
  /** Prices that are configured, not queried. */
  readonly fixed: FixedPrices;
  readonly finality: L1Finality;
  readonly acceptedDivergences: L1Options["acceptedDivergences"];
  readonly config: Pick<
    ChainConfig,
    "chainId" | "ethCoreContractAddress" | "l1MessagesReplayMaxDurationMs"
  >;
  readonly report: L1Report;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Connection to L1 from a node's start to its end. */
export class OpenedL1 implements L1Connection {
  readonly messages: MessageIndex = new MessageIndex(INDEXED_MESSAGES);
  readonly #deps: OpenedL1Deps;
  #startPrices: L1Prices | undefined;
  #prices: L1Prices | undefined;
  #finding: string | undefined;
  #chainId: number | undefined;
  #following: L1Following | undefined;

  constructor(deps: OpenedL1Deps) {
    this.#deps = deps;
  }

  get startPrices(): L1Prices | undefined {
    return this.#startPrices;
  }

  get prices(): L1Prices | undefined {
    return this.#prices;
  }

  get finding(): string | undefined {
    return this.#finding;
  }

  /** Chain id of L1; `undefined` if L1 did not respond at the start. */
  get chainId(): number | undefined {
    return this.#chainId;
  }

  /**
   * Queries the data for a start; an abort ends the wait.
   *
   * @throws {NodeError} as {@link checkL1}
   */
  async look(signal: AbortSignal): Promise<void> {
    const { source, config, log } = this.#deps;
    const found = await this.#inTime(checkL1(source, config), signal);
    if (typeof found === "number") this.#chainId = found;
    else logNoL1(found, log);
    await this.#firstPrices(signal);
  }

  resume(prices: L1Prices): L1Prices {
    const resumed = { ...prices, ...this.#deps.fixed };
    this.#deps.prices?.resume(resumed);
    return resumed;
  }

  follow(chain: L1ChainPort, ports: L1RolePorts): FollowedL1 {
    this.#following?.stop();
    this.#following = new L1Following({ ...this.#deps, index: this.messages, chain, ports });
    this.#deps.prices?.start();
    return this.#following;
  }

  /** Applies changed prices from L1. */
  setPrices(prices: L1Prices): void {
    this.#prices = prices;
    this.#following?.setPrices(prices);
  }

  refresh(chain: Pick<L1ChainPort, "latestNumber" | "l1AcceptedNumber">): void {
    const { report, prices } = this.#deps;
    const backlog = this.#following?.backlog ?? 0;
    report.refresh(chain, { backlog, priceAgeMs: prices?.ageMs ?? 0 });
  }

  /** Stops following. Resolves when nothing is in flight. */
  async end(): Promise<void> {
    this.#deps.prices?.stop();
    await this.#following?.end();
  }

  async #firstPrices(signal: AbortSignal): Promise<void> {
    const { prices, report, log } = this.#deps;
    if (prices === null) return;
    const firstPrices = await this.#inTime(
      prices.first().catch((error: unknown) => {
        if (error instanceof L1Error) return error;
        throw error;
      }),
      signal,
    );
    if (firstPrices instanceof L1Error) this.#finding = firstPrices.message;
    else {
      this.#startPrices = firstPrices;
      this.#prices = firstPrices;
      logL1Prices(firstPrices, log);
      report.prices(firstPrices);
    }
  }

  /** Awaits a response with a timeout, so that a start cannot wait forever. */
  async #inTime<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | L1Error> {
    const { timer, log } = this.#deps;
    const late = Promise.withResolvers<L1Error>();
    const giveUp = (why: string): void => late.resolve(new L1Error("L1_STALLED", why, true));
    const cancel = timer.after(START_MS, () => giveUp(`no answer for ${START_MS / 1000} s`));
    const onAbort = (): void => giveUp("the node is stopping");
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    // A failure after the timeout is only worth a debug line.
    answer.catch((error: unknown) =>
      log.debug("L1 at the start", { reason: describeError(error) }),
    );
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      cancel();
      signal.removeEventListener("abort", onAbort);
    }
  }
}
