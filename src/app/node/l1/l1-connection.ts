import type { Felt } from "#base/primitives/index.ts";
import { type L1MessageLookup, NO_L1_MESSAGES } from "#api/rpc/index.ts";
import type { L1ChainPort, L1HandlerOrder, L1HandlerOutcome } from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import { type FollowedL1, L1_NOT_FOLLOWED } from "../threads/roles/followed-l1.ts";

/** What of a role those who follow L1 act on. */
export interface L1RolePorts {
  /** As `Settling.settle`. */
  settle(blockNumber: number, blockHash: Felt): Promise<boolean>;
  /** `null`: the role makes no blocks. */
  readonly production: L1ProductionPorts | null;
}

/** What of the executor those who follow L1 act on. */
export interface L1ProductionPorts {
  /** Blocks that are opened from now on have these prices. */
  setPrices(prices: L1Prices): void;
  /** Has messages executed in their order. @returns an outcome for each */
  execute(orders: readonly L1HandlerOrder[]): Promise<readonly L1HandlerOutcome[]>;
  /** No block is made any more until the threads start again. */
  halt(reason: string): void;
}

/** L1 as the node reaches it, whatever its role. */
export interface L1Connection {
  /** Messages that L1 has sent, as far as they are known. */
  readonly messages: L1MessageLookup;
  /** Prices that the node starts with; `undefined`: it makes no blocks, or none were told. */
  readonly startPrices: L1Prices | undefined;
  /** The newest prices that were told; `undefined`: none. */
  readonly prices: L1Prices | undefined;
  /** Why there are none; `undefined`: there are, or none are needed. */
  readonly finding: string | undefined;
  /**
   * Goes on with the prices of the newest block where none were told.
   *
   * @returns the prices to start with
   */
  resume(prices: L1Prices): L1Prices;
  /** Follows for a role, from {@link FollowedL1.release} on. */
  follow(chain: L1ChainPort, ports: L1RolePorts): FollowedL1;
  /** Metrics are asked for. */
  refresh(chain: Pick<L1ChainPort, "latestNumber" | "l1AcceptedNumber">): void;
}

/** Connection of a node that does not follow L1. */
export const NO_L1: L1Connection = {
  messages: NO_L1_MESSAGES,
  startPrices: undefined,
  prices: undefined,
  finding: undefined,
  resume: (prices) => prices,
  follow: () => L1_NOT_FOLLOWED,
  refresh: () => undefined,
};
