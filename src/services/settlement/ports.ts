import type { Felt } from "#base/primitives/index.ts";
import type { CoreState } from "#io/l1/index.ts";
import type { L1Handler, MessageToL1 } from "#protocol/chain/index.ts";

/** Data of an accepted block that goes into a state update. */
export interface SettledBlock {
  readonly number: number;
  readonly hash: Felt;
  readonly parentHash: Felt;
  readonly stateRoot: Felt;
  /** In sending order. */
  readonly messagesToL1: readonly MessageToL1[];
  /** Consumed messages, including those whose handlers failed, in order. */
  readonly messagesToL2: readonly L1Handler[];
}

/** Consecutive blocks of one update: the last block, with the messages of all in order. */
export interface SettledRange extends SettledBlock {
  readonly firstNumber: number;
}

/** The chain whose blocks are settled. */
export interface AcceptedBlocks {
  /** Number of the newest accepted block. */
  newest(): Promise<number>;
  block(blockNumber: number): Promise<SettledBlock>;
}

/** Values that the core contract requires in every update. */
export interface CoreRules {
  readonly programHash: Felt;
  readonly configHash: Felt;
}

/** An assembled state update. */
export interface StateUpdate {
  readonly programOutput: readonly bigint[];
  /** Fact that the verifier must have registered before the core contract accepts the update; 256 bits. */
  readonly fact: bigint;
}

/** The core contract, accessed by an account that is an operator of it and of its verifier. */
export interface CoreOperator {
  rules(): Promise<CoreRules>;
  state(): Promise<CoreState>;
  /** Returns which of these messages to L2, by hash, are not pending at the core contract. */
  missingMessages(hashes: readonly bigint[]): Promise<readonly bigint[]>;
  /** Registers the fact unless it is registered, and posts the update. Settles once it is in a block. */
  post(update: StateUpdate): Promise<void>;
}
