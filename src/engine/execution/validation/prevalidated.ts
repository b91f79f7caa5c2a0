import type { Felt } from "#base/primitives/index.ts";
import { type ReadSet, readSetHolds, type StateReader } from "#engine/state/index.ts";
import { maxSteps, validationBlock } from "../call/context.ts";
import type { CallInfo } from "../call/info.ts";
import type { TransactionContext } from "../transaction/context.ts";

/**
 * What `__validate__` depends on beside of the state and of the transaction's own hash: two runs in
 * equal environments that read equal values end equally.
 */
export interface ValidationEnvironment {
  readonly transactionHash: Felt;
  /** Not part of the hash. */
  readonly signature: readonly Felt[];
  readonly onlyQuery: boolean;
  /** Names the constants: one process has one set per version. */
  readonly protocolVersion: string;
  readonly chainId: Felt;
  /** Number and timestamp of the block as validation sees them: rounded down. */
  readonly blockNumber: number;
  readonly timestamp: number;
  /** Sierra gas that the phase may use. */
  readonly initialGas: number;
  /** Steps that the phase may take. */
  readonly maxSteps: number;
}

/**
 * A successful `__validate__` of an invoke that can stand for another run of it: what admission hands
 * to the executor.
 */
export interface PrevalidatedCall {
  readonly environment: ValidationEnvironment;
  /** Everything that the run read from the state. */
  readonly reads: ReadSet;
  readonly call: CallInfo;
}

/**
 * The environment that validation of a transaction has.
 *
 * @param gas - Sierra gas that the phase may use
 */
export function validationEnvironment(
  context: TransactionContext,
  gas: number,
  limitStepsByBounds: boolean,
): ValidationEnvironment {
  const { block } = context;
  const { number, timestamp } = validationBlock(block);
  return {
    transactionHash: context.hash,
    signature: context.signature,
    onlyQuery: context.onlyQuery,
    protocolVersion: block.info.protocolVersion,
    chainId: block.chainId,
    blockNumber: number,
    timestamp,
    initialGas: gas,
    maxSteps: maxSteps(context, "validate", limitStepsByBounds),
  };
}

/** Whether running `__validate__` in `environment` on `state` would give the known result. */
export function stillValid(
  { environment: seen, reads }: PrevalidatedCall,
  environment: ValidationEnvironment,
  state: StateReader,
): boolean {
  return (
    seen.transactionHash === environment.transactionHash &&
    seen.onlyQuery === environment.onlyQuery &&
    seen.protocolVersion === environment.protocolVersion &&
    seen.chainId === environment.chainId &&
    seen.blockNumber === environment.blockNumber &&
    seen.timestamp === environment.timestamp &&
    seen.initialGas === environment.initialGas &&
    seen.maxSteps === environment.maxSteps &&
    isSame(seen.signature, environment.signature) &&
    readSetHolds(reads, state)
  );
}

function isSame(a: readonly Felt[], b: readonly Felt[]): boolean {
  return a.length === b.length && a.every((felt, i) => felt === b[i]);
}

/**
 * Whether a run's result follows from its environment and its reads alone. `get_block_hash` compares
 * with the exact number of the block, which the environment doesn't hold.
 */
export function isReusable(call: CallInfo): boolean {
  return call.accessedBlocks.size === 0 && call.innerCalls.every(isReusable);
}
