import type { Felt } from "#base/primitives/index.ts";
import type { CoreState } from "#io/l1/index.ts";
import type { L1Handler, MessageToL1 } from "#protocol/chain/index.ts";

/** What of an accepted block goes into a state update. */
export interface SettledBlock {
  readonly number: number;
  readonly hash: Felt;
  readonly parentHash: Felt;
  readonly stateRoot: Felt;
  /** In the order in which they were sent. */
  readonly messagesToL1: readonly MessageToL1[];
  /** Those that it consumed, also where their handlers failed, in their order. */
  readonly messagesToL2: readonly L1Handler[];
}

/** Consecutive blocks of one update: the last one, with the messages of all in their order. */
export interface SettledRange extends SettledBlock {
  readonly firstNumber: number;
}

/** The chain whose blocks are settled. */
export interface AcceptedBlocks {
  /** Number of the newest accepted block. */
  newest(): Promise<number>;
  block(blockNumber: number): Promise<SettledBlock>;
}

/** What the core contract demands of every update. */
export interface CoreRules {
  readonly programHash: Felt;
  readonly configHash: Felt;
}

/** A state update that was put together. */
export interface StateUpdate {
  readonly programOutput: readonly bigint[];
  /** What the verifier has to know before the core contract takes it, of 256 bits. */
  readonly fact: bigint;
}

/** The core contract, for an account that is one of its operators and of its verifier's. */
export interface CoreOperator {
  rules(): Promise<CoreRules>;
  state(): Promise<CoreState>;
  /** Which of these messages to L2, by their hashes, do not wait at the core contract. */
  missingMessages(hashes: readonly bigint[]): Promise<readonly bigint[]>;
  /** Has the verifier believe the fact, unless it does, and posts the update; it is in a block then. */
  post(update: StateUpdate): Promise<void>;
}
