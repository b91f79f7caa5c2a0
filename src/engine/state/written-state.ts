import type { ExecutableClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/**
 * Values that the blocks of a chain wrote up to one block. `undefined` marks values that none of them wrote,
 * which distinguishes them from a written 0.
 */
export interface WrittenState {
  storageAt(contractAddress: Felt, key: Felt): Felt | undefined;
  nonceAt(contractAddress: Felt): Felt | undefined;
  classHashAt(contractAddress: Felt): Felt | undefined;
  compiledClassHashOf(classHash: Felt): Felt | undefined;
  executableClass(classHash: Felt): ExecutableClass | undefined;
}
