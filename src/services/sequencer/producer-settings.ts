import type { BlockInfo, L1DaMode } from "#protocol/chain/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";
import type { BouncerCapacity, FeeTokens } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Candidate } from "#services/admission/index.ts";
import type { CandidateSettings } from "./candidate-flags.ts";
import type { Clock } from "./clock.ts";
import type { L1Prices, L2GasPricing } from "./gas-price.ts";

/** Settings that stay the same from block to block. */
export interface ProducerSettings extends CandidateSettings {
  readonly chainId: Felt;
  readonly feeTokens: FeeTokens;
  readonly protocolVersion: string;
  readonly constants: ProtocolConstants;
  readonly bouncer: BouncerCapacity;
  readonly sequencerAddress: Felt;
  readonly l1DaMode: L1DaMode;
  readonly l2GasPricing: L2GasPricing;
}

/** Decides how much of a batch is executed. */
export interface BatchPace {
  /** Whether a candidate may be executed now; otherwise it is given back. */
  mayExecute(candidate: Candidate): boolean;
  /** Records the processor time of a candidate. @returns whether the batch continues */
  executed(candidate: Candidate, processorMs: number): boolean;
}

/**
 * Everything that the block producer queries while it builds blocks: time, accepted block hashes, prices, and
 * the pace.
 */
export interface ProducerSource {
  readonly clock: Clock;
  /** Returns the hash of an accepted block; `undefined` if it is not accepted yet. */
  blockHash(blockNumber: number): Felt | undefined;
  l1Prices(): L1Prices;
  /** Called before each transaction is executed. */
  beforeTransaction(hash: Felt): void;
  /** Processor time of this thread, in milliseconds. */
  processorMs(): number;
  /** `null` to execute every batch completely. */
  readonly pace: BatchPace | null;
  /** Returns the prices that replace the computed ones, or the computed ones. */
  priced(prices: BlockInfo["gasPrices"]): BlockInfo["gasPrices"];
}
