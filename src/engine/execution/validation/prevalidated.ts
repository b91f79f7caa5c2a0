import type { Felt } from "#base/primitives/index.ts";
import { type ReadSet, readSetMatches, type StateReader } from "#engine/state/index.ts";
import { maxSteps, validationBlock } from "../call/context.ts";
import type { CallInfo } from "../call/info.ts";
import type { TransactionContext } from "../transaction/context.ts";

/**
 * Inputs of `__validate__` besides the state and the transaction's own hash: two runs in equal environments
 * that read equal values have equal results.
 */
export interface ValidationEnvironment {
  readonly transactionHash: Felt;
  /** Compared separately, because it is not part of the hash. */
  readonly signature: readonly Felt[];
  readonly onlyQuery: boolean;
  /** Identifies the constants: a process has one set per version. */
  readonly protocolVersion: string;
  readonly chainId: Felt;
  /** Block number and timestamp as validation sees them: rounded down. */
  readonly blockNumber: number;
  readonly timestamp: number;
  /** Sierra gas available to the phase. */
  readonly initialGas: number;
  readonly maxSteps: number;
}

/**
 * Successful `__validate__` of an invoke, whose result can replace another run of it; passed from admission
 * to the executor.
 */
export interface PrevalidatedCall {
  readonly environment: ValidationEnvironment;
  readonly reads: ReadSet;
  readonly call: CallInfo;
}

/**
 * Environment of a transaction's validation.
 *
 * @param gas - Sierra gas available to the phase
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

/** Whether running `__validate__` in `environment` on `state` would produce the known result. */
export function isStillValid(
  { environment: original, reads }: PrevalidatedCall,
  environment: ValidationEnvironment,
  state: StateReader,
): boolean {
  return (
    original.transactionHash === environment.transactionHash &&
    original.onlyQuery === environment.onlyQuery &&
    original.protocolVersion === environment.protocolVersion &&
    original.chainId === environment.chainId &&
    original.blockNumber === environment.blockNumber &&
    original.timestamp === environment.timestamp &&
    original.initialGas === environment.initialGas &&
    original.maxSteps === environment.maxSteps &&
    isSame(original.signature, environment.signature) &&
    readSetMatches(reads, state)
  );
}

function isSame(a: readonly Felt[], b: readonly Felt[]): boolean {
  return a.length === b.length && a.every((felt, i) => felt === b[i]);
}

/**
 * Whether a run's result depends only on its environment and its reads. `get_block_hash` compares with the
 * exact block number, which the environment does not contain.
 */
export function isReusable(call: CallInfo): boolean {
  return call.accessedBlocks.size === 0 && call.innerCalls.every(isReusable);
}
