import type { Felt } from "#base/primitives/index.ts";
import { type L1MessageLookup, NO_L1_MESSAGES } from "#api/rpc/index.ts";
import type { L1ChainPort, L1HandlerOrder, L1HandlerOutcome } from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import { type FollowedL1, L1_NOT_FOLLOWED } from "../threads/roles/followed-l1.ts";

/**
 * Functions of the current role that the part `l1` calls when L1 has news: a newer accepted block, prices,
 * messages.
 */
export interface L1RolePorts {
  /** As `Settling.settle`. */
  settle(blockNumber: number, blockHash: Felt): Promise<boolean>;
  /** `null` if the role does not produce blocks. */
  readonly production: L1ProductionPorts | null;
}

/**
 * Functions of block production that the part `l1` calls when L1 has news, on a node that produces blocks.
 */
export interface L1ProductionPorts {
  /** Sets the prices of blocks opened from now on. */
  setPrices(prices: L1Prices): void;
  /** Executes messages in order. @returns an outcome for each */
  execute(orders: readonly L1HandlerOrder[]): Promise<readonly L1HandlerOutcome[]>;
  /** Halts block production until the threads restart. */
  halt(reason: string): void;
}

/** Connection to L1, regardless of the node's role. */
export interface L1Connection {
  /** Index of known messages from L1. */
  readonly messages: L1MessageLookup;
  /** Prices at the node's start; `undefined` if it produces no blocks, or none were reported. */
  readonly startPrices: L1Prices | undefined;
  /** Newest reported prices; `undefined` until the first report. */
  readonly prices: L1Prices | undefined;
  /** Reason why prices are missing; `undefined` if they are known or not needed. */
  readonly finding: string | undefined;
  /**
   * Continues with the prices of the newest block if none were reported.
   *
   * @returns the prices to start with
   */
  resume(prices: L1Prices): L1Prices;
  /** Follows L1 for a role, from {@link FollowedL1.release} on. */
  follow(chain: L1ChainPort, ports: L1RolePorts): FollowedL1;
  /** Updates the metrics before they are read. */
  refresh(chain: Pick<L1ChainPort, "latestNumber" | "l1AcceptedNumber">): void;
}

/** {@link L1Connection} of a node that does not follow L1. */
export const NO_L1: L1Connection = {
  messages: NO_L1_MESSAGES,
  startPrices: undefined,
  prices: undefined,
  finding: undefined,
  resume: (prices) => prices,
  follow: () => L1_NOT_FOLLOWED,
  refresh: () => undefined,
};
