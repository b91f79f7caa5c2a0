import type { LinearResources } from "#protocol/versions/index.ts";
import type { BlockContext } from "../block/context.ts";
import {
  addLinearResources,
  addResources,
  dropUnused,
  emptyResources,
  type MutableResources,
  poseidonManyResources,
} from "../resources.ts";
import type { TransactionShape } from "./shape.ts";

/** Machine steps that the operating system needs for a transaction's type and calldata. */
export function osSteps(resources: LinearResources, calldataLength: number): number {
  const { constant, perCalldata, calldataScale } = resources;
  return constant.steps + Math.ceil((perCalldata.steps * calldataLength) / calldataScale);
}

/**
 * Machine resources of the operating system for a transaction: for its type and calldata, and for the
 * commitment to its data.
 *
 * @param words - words that its changes add to the published data
 */
export function osResources(
  block: BlockContext,
  shape: TransactionShape,
  words: number,
): MutableResources {
  const result = emptyResources();
  const { transactions } = block.constants.osResources;
  addLinearResources(result, transactions[shape.kind], 1, shape.calldataLength);
  if (block.info.l1DaMode === "BLOB") addKzgResources(result, block, words);
  return dropUnused(result);
}

/** Adds the operating system's resources for committing to `words` words of data. */
export function addKzgResources(
  target: MutableResources,
  block: BlockContext,
  words: number,
): void {
  const { kzgCommitment } = block.constants.osResources;
  if (kzgCommitment.steps === 0) return;
  addResources(target, kzgCommitment, words);
  addResources(target, poseidonManyResources(words));
}
