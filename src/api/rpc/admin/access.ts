import type { LogLevel } from "#base/telemetry/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { DropOutcome, MempoolListing } from "#services/admission/index.ts";

/** Most transactions of one look into the mempool. */
export const MAX_LISTED = 1_000;

/** What whoever runs a node may do with it while it runs. */
export interface AdminAccess {
  /**
   * Waiting transactions in the order of their arrival.
   *
   * @param offset - those that are passed over
   * @param limit - at most {@link MAX_LISTED}
   */
  mempool(offset: number, limit: number): Promise<MempoolListing>;
  /** Drops a waiting transaction; settles when that is durable. */
  dropTransaction(hash: Felt): Promise<DropOutcome>;
  /**
   * Closes the block being built; settles when it is accepted. `undefined`: blocks of this chain close
   * by its own rules alone.
   */
  closeBlock?(): Promise<{ readonly number: number; readonly hash: Felt }>;
  /** @returns the level before */
  setLogLevel(level: LogLevel): LogLevel;
}
