import { hexFromFelt } from "#base/primitives/index.ts";
import { describeError, loggable, type Logger } from "#base/telemetry/index.ts";
import type { L1EndpointState } from "#io/l1/index.ts";
import type {
  L1Alarm,
  L1StateUpdate,
  L1WatchEvent,
  PriceEvent,
  StateEvent,
} from "#services/l1-watch/index.ts";

/** Interval between repeated lines about an unresponsive L1, in milliseconds. */
export const LOG_AGAIN_MS = 600_000;

/** Dependencies of {@link L1Log}. */
export interface L1LogDeps {
  readonly log: Pick<Logger, "debug" | "info" | "warn" | "error">;
  readonly nowMs: () => number;
}

/** Logs how L1 is followed. */
export class L1Log {
  readonly #deps: L1LogDeps;
  /** Time of the last line for each ongoing failure. */
  readonly #failing = new Map<string, number>();

  constructor(deps: L1LogDeps) {
    this.#deps = deps;
  }

  endpoint(endpoint: string, state: L1EndpointState, reason: string | undefined): void {
    const { log } = this.#deps;
    if (state === "left") {
      const why = reason === undefined ? {} : { reason: loggable(reason) };
      log.warn("switched away from an L1 endpoint", { endpoint, ...why });
    } else if (state === "in use") log.info("an L1 endpoint is in use", { endpoint });
    else log.debug(`an L1 endpoint is ${state}`, { endpoint });
  }

  noFeeHistory(endpoint: string, reason: string): void {
    this.#deps.log.warn(
      "an L1 endpoint has no eth_feeHistory: its prices are eth_gasPrice and eth_blobBaseFee",
      { endpoint, reason: loggable(reason) },
    );
  }

  watch(event: L1WatchEvent): void {
    const { log } = this.#deps;
    switch (event.kind) {
      case "begun":
        log.info("reading L1", { from_l1_block: event.fromBlock });
        return;
      case "failed":
        this.#fails(
          `L1 gives no usable response (${event.part}): block production continues`,
          event,
        );
        return;
      case "recovered":
        this.#failing.clear();
        log.info("L1 is followed again", { failures: event.failures });
        return;
      case "reorganized": {
        const { number, hash } = event.gone;
        log.warn("L1 was reorganized: reading it again", { l1_block: number, hash: hex(hash) });
        return;
      }
      case "stepped":
        return;
    }
  }

  price(event: PriceEvent): void {
    const { log } = this.#deps;
    switch (event.kind) {
      case "taken":
        return;
      case "unanswered":
        this.#fails(`${whoOf(event.teller)} reports no prices: the last ones stay in use`, event);
        return;
      case "answered":
        for (const key of [...this.#failing.keys()]) {
          if (key.startsWith(whoOf(event.teller))) this.#failing.delete(key);
        }
        log.info(`${whoOf(event.teller)} reports prices again`);
        return;
      case "held_back": {
        const { price, reported, usual, polls, pollsNeeded } = event;
        if (polls > 1) return;
        log.warn(
          "a price of L1 is far off the hour's median: it is held back until it is confirmed",
          {
            price,
            reported,
            usual,
            polls: pollsNeeded,
          },
        );
        return;
      }
      case "confirmed": {
        const { price, reported, by } = event;
        log.warn("a held-back price is confirmed", { price, reported, by });
        return;
      }
      case "stale":
        log.error("L1 prices are stale: blocks use the last reported ones", {
          price: event.price,
          age_s: Math.round(event.ageMs / 1000),
        });
        return;
    }
  }

  update({ blockNumber, blockHash, stateRoot, l1Block }: L1StateUpdate): void {
    const { log } = this.#deps;
    if (blockNumber < 0n) {
      log.info("L1 head: no block yet", { l1_block: l1Block.number });
      return;
    }
    log.info(`L1 head: block ${blockNumber}`, {
      hash: hexFromFelt(blockHash),
      state_root: hexFromFelt(stateRoot),
      l1_block: l1Block.number,
    });
  }

  state(event: StateEvent): void {
    const { log } = this.#deps;
    switch (event.kind) {
      case "doubted": {
        const what = `L1 seems to have another block ${event.update.blockNumber}: no block from there on is accepted on L1 until the endpoints confirm or refute it`;
        if (this.#isLogDue(what))
          log.warn(what, { ...updateFields(event.update), endpoints: loggable(event.said) });
        return;
      }
      case "refuted":
        log.warn(
          `L1 does not have another block ${event.update.blockNumber}: the update is ignored`,
          { ...updateFields(event.update), endpoints: loggable(event.said) },
        );
        return;
      case "passed_over":
        log.warn(
          `L1 has another block ${event.update.blockNumber}: allowed by --l1-accept-divergence, it does not mark blocks as accepted on L1`,
          updateFields(event.update),
        );
        return;
      case "replaced":
        log.warn(
          `L1 had another block ${event.update.blockNumber} and has been reverted since: the update is ignored`,
          updateFields(event.update),
        );
        return;
      case "resolved":
        log.info("no state update read from L1 differs from this chain");
        return;
    }
  }

  settled(blockNumber: number): void {
    this.#deps.log.info(`block ${blockNumber} accepted on L1`);
  }

  alarm({ kind, message, l1Block }: L1Alarm): void {
    this.#deps.log.error(`ALARM: ${message}`, {
      kind,
      l1_block: l1Block.number,
      l1_block_hash: hex(l1Block.hash),
    });
  }

  #fails(what: string, { error }: { readonly error: unknown }): void {
    if (!this.#isLogDue(what)) return;
    this.#deps.log.warn(what, { reason: loggable(describeError(error)) });
  }

  /** Whether a line is due: at first, and again after {@link LOG_AGAIN_MS} while the failure lasts. */
  #isLogDue(what: string): boolean {
    const nowMs = this.#deps.nowMs();
    const loggedMs = this.#failing.get(what);
    if (loggedMs !== undefined && nowMs - loggedMs < LOG_AGAIN_MS) return false;
    this.#failing.set(what, nowMs);
    return true;
  }
}

function updateFields({
  l1Block,
  stateRoot,
  transactionHash,
}: L1StateUpdate): Record<string, string | number> {
  return {
    l1_root: hexFromFelt(stateRoot),
    l1_block: l1Block.number,
    ...(transactionHash === undefined ? {} : { l1_transaction: hex(transactionHash) }),
  };
}

function whoOf(teller: "l1" | "oracle"): string {
  return teller === "l1" ? "L1" : "the oracle";
}

function hex(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
