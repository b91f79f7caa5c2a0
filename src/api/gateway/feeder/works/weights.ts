import { encodeWeights, fail, failTraces, type QueryContext, tracedBlock } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type AcceptedBlock, headerOf } from "./accepted.ts";

/**
 * Computes the response of Madara's get_block_bouncer_weights: the weights of a block, by re-executing it.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block was reverted, or its state is pruned
 * @throws {NotServedError} when the block cannot be re-executed
 */
export function bouncerWeights(
  context: QueryContext,
  target: Pick<AcceptedBlock, "number" | "hash">,
): JsonObject {
  const { number } = headerOf(context, target);
  const block = tracedBlock(context, { kind: "accepted", number }) ?? fail("BLOCK_NOT_FOUND");
  const outcome = context.tracing.weighBlock(block);
  return outcome.kind === "ok" ? encodeWeights(outcome.weights) : failTraces(block, outcome);
}
