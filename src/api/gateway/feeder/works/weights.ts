import { encodeWeights, fail, noTraces, type QueryContext, tracedBlock } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type AcceptedBlock, headerOf } from "./accepted.ts";

/**
 * The answer to get_block_bouncer_weights of Madara: what a block weighs, by executing it again.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block was taken back, or its state is not kept any more
 * @throws {NotServedError} when the block cannot be executed again
 */
export function bouncerWeights(
  context: QueryContext,
  asked: Pick<AcceptedBlock, "number" | "hash">,
): JsonObject {
  const { number } = headerOf(context, asked);
  const block = tracedBlock(context, { kind: "accepted", number }) ?? fail("BLOCK_NOT_FOUND");
  const outcome = context.tracing.weighBlock(block);
  return outcome.kind === "ok" ? encodeWeights(outcome.weights) : noTraces(block, outcome);
}
