import type { Felt } from "#base/primitives/index.ts";
import type { L1MessageLookup } from "#api/rpc/index.ts";
import type { L1ChainPort, L1HandlerOrder, L1HandlerOutcome } from "#services/l1-watch/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";

/** Actions of a role that following L1 triggers. */
export interface L1RolePorts {
  /** As `Settling.settle`. */
  settle(blockNumber: number, blockHash: Felt): Promise<boolean>;
  /** `null` if the role does not produce blocks. */
  readonly production: L1ProductionPorts | null;
}

/** Actions of the executor that following L1 triggers. */
export interface L1ProductionPorts {
  /** Sets the prices of blocks opened from now on. */
  setPrices(prices: L1Prices): void;
  /** Executes messages in order. @returns an outcome for each */
  execute(orders: readonly L1HandlerOrder[]): Promise<readonly L1HandlerOutcome[]>;
  /** Halts block production until the threads restart. */
  halt(reason: string): void;
}

/** Following of L1, as used by the services of a role. */
export interface FollowedL1 {
  /** Reason why the node is not ready; `undefined` if there is none. */
  alarm(): string | undefined;
  /** Reason why L1 is not followed at present; `undefined` while it is. */
  finding(): string | undefined;
  /** Pauses, because the threads are about to stop. */
  hold(): void;
  /** Resumes after a restart of the threads: the chain may have changed, so all of L1 is compared again. */
  release(): void;
  /** Stops permanently. */
  stop(): void;
}

/** Placeholder of a node that does not follow L1. */
export const L1_NOT_FOLLOWED: FollowedL1 = {
  alarm: () => undefined,
  finding: () => undefined,
  hold: () => undefined,
  release: () => undefined,
  stop: () => undefined,
};

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
