import type { ContractClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { requireState, type ResolvedBlock } from "../block-id.ts";
import type { ChainContext } from "../context.ts";
import { originClassAt } from "../fork/state.ts";

/**
 * Returns a class declared in the block or before it.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the state of that block is no longer kept: classes always are, but
 *   all state queries of a block should respond alike
 */
export function classAt(
  { chain, fork }: ChainContext,
  block: ResolvedBlock,
  classHash: Felt,
): ContractClass | undefined {
  if (block.kind === "accepted") requireState(chain, block.number);
  if (fork !== null && block.kind === "accepted" && block.number <= fork.forkBlock) {
    return originClassAt(fork, block.number, classHash);
  }
  const declared = chain.declaredClass(classHash);
  if (block.kind === "accepted") {
    return declared !== undefined && declared.declaredAtBlock <= block.number
      ? declared.contractClass
      : undefined;
  }
  return declared?.contractClass ?? block.newest.declaredClass?.(classHash);
}
