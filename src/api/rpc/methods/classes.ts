import type { ContractClass } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ResolvedBlock } from "../block-id.ts";
import type { RpcContext } from "../context.ts";

/** A class that is declared in the block or before it. */
export function classAt(
  { chain }: RpcContext,
  block: ResolvedBlock,
  classHash: Felt,
): ContractClass | undefined {
  const declared = chain.declaredClass(classHash);
  if (block.kind === "accepted") {
    return declared !== undefined && declared.declaredAtBlock <= block.number
      ? declared.contractClass
      : undefined;
  }
  return declared?.contractClass ?? block.newest.declaredClass?.(classHash);
}
