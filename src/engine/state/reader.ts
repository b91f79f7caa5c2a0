import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Entry point that runs next. */
export interface EnteredCall {
  /** 1 for a call that is not made by another. */
  readonly depth: number;
  readonly classHash: Felt;
  readonly selector: Felt;
  /** Address whose storage the call uses. */
  readonly contractAddress: Felt;
  readonly callerAddress: Felt;
  readonly calldata: { readonly length: number; at(index: number): Felt | undefined };
}

/**
 * State at one fixed point, read synchronously because execution reads it from inside a WebAssembly call.
 * Absent values are 0, as in the protocol.
 */
export interface StateReader {
  /** Value of a storage variable; 0 when nothing is stored. */
  storageAt(contractAddress: Felt, key: Felt): Felt;
  /** Nonce of a contract; 0 when unknown. */
  nonceAt(contractAddress: Felt): Felt;
  /** Class hash of a contract; 0 when no contract is deployed there. */
  classHashAt(contractAddress: Felt): Felt;
  /** Compiled class hash of a Sierra class; 0 for an undeclared class or a Cairo 0 class. */
  compiledClassHashOf(classHash: Felt): Felt;
  /** Executable code of a declared class; `undefined` when the class is not declared. */
  executableClass(classHash: Felt): ExecutableClass | undefined;
  /** Says which entry point reads from now on. Only a state that is fetched from elsewhere needs to know. */
  entering?(call: EnteredCall): void;
}
