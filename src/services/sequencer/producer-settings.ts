import type { BlockInfo, L1DaMode } from "#protocol/chain/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";
import type { BouncerCapacity, FeeTokens } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Candidate } from "#services/admission/index.ts";
import type { CandidateSettings } from "./candidate-flags.ts";
import type { Clock } from "./clock.ts";
import type { L1Prices, L2GasPricing } from "./gas-price.ts";

/** What stays the same from block to block. */
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

/** Decides how far a batch is executed. */
export interface BatchPace {
  /** Whether a candidate may be executed now; otherwise it is given back. */
  mayGo(candidate: Candidate): boolean;
  /** Told what a candidate's execution came to be. @returns whether the batch goes on */
  executed(candidate: Candidate, processorMs: number): boolean;
}

/** What the producer asks of its surroundings. */
export interface ProducerSource {
  readonly clock: Clock;
  /** Hash of an accepted block; `undefined` when it is not accepted yet. */
  blockHash(blockNumber: number): Felt | undefined;
  l1Prices(): L1Prices;
  /** Told before each transaction that is going to be executed. */
  beforeTransaction(hash: Felt): void;
  /** Processor time of this thread, in milliseconds. */
  processorMs(): number;
  /** `null`: every batch is executed to its end. */
  readonly pace: BatchPace | null;
  /** The prices to take in place of those that were computed, or these. */
  priced(prices: BlockInfo["gasPrices"]): BlockInfo["gasPrices"];
}
