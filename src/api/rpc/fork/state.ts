import type { Felt } from "#base/primitives/index.ts";
import { type ContractClass, decodeContractClass } from "#protocol/chain/index.ts";
import { decodeNumber, decodeOriginClass } from "#io/origin/index.ts";
import type { ForkOrigin } from "../context.ts";

/**
 * Returns a class in the state after a block up to the fork block; `undefined` if it is not declared there.
 *
 * @throws {OriginError} when the origin does not respond
 */
export function originClassAt(
  fork: Pick<ForkOrigin, "ask">,
  block: number,
  classHash: Felt,
): ContractClass | undefined {
  const bytes = fork.ask({ kind: "class", block, classHash });
  return bytes === null ? undefined : decodeContractClass(decodeOriginClass(bytes).contractClass);
}

/**
 * Returns the last block up to `blockNumber` and the fork block that changed a storage variable; `undefined` if
 * none did, or the origin's version of the specification does not report it.
 *
 * @throws {OriginError} when the origin does not respond
 */
export function originStorageUpdate(
  fork: Pick<ForkOrigin, "ask" | "forkBlock">,
  [address, key]: readonly [address: Felt, key: Felt],
  blockNumber: number,
): number | undefined {
  const block = Math.min(blockNumber, fork.forkBlock);
  const bytes = fork.ask({ kind: "lastUpdate", block, address, key });
  return bytes === null ? undefined : decodeNumber(bytes);
}
