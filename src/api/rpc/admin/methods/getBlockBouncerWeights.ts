import { type JsonObject, lookupNumber } from "#base/codec/index.ts";
import type { BouncerWeights } from "#engine/execution/index.ts";
import { required } from "../../method.ts";
import { COUNT, record } from "../../spec/schemas/common.ts";
import { tracedBlock } from "../../traces/traced-block.ts";
import { failTraces } from "../../traces/tracing.ts";
import { adminMethod } from "../admin-context.ts";

/**
 * JSON-RPC method `appchain_getBlockBouncerWeights`: weights of an accepted block in each dimension
 * that limits blocks, by executing it again; proving gas uses the costs of the current chain
 * configuration.
 */
export const getBlockBouncerWeights = adminMethod({
  name: "appchain_getBlockBouncerWeights",
  family: "trace",
  runsOn: "query",
  summary:
    "Weights of an accepted block in each dimension that limits blocks, by executing it again; proving gas uses the costs of the current chain configuration.",
  params: () => ({ block_number: required(lookupNumber) }),
  result: () => encodeWeights,
  answer: () =>
    record({
      l1_gas: COUNT,
      message_segment_length: COUNT,
      n_events: COUNT,
      n_txs: COUNT,
      state_diff_size: COUNT,
      sierra_gas: COUNT,
      proving_gas: COUNT,
      receipt_l2_gas: COUNT,
    }),
  errors: ["BLOCK_NOT_FOUND"],
  preflight(context, { block_number: number }) {
    context.admin.note("getBlockBouncerWeights", { block: number });
  },
  handler(context, { block_number: number }, fail) {
    const latest = context.chain.latestNumber();
    if (latest === undefined || number > latest) return fail("BLOCK_NOT_FOUND");
    const block = tracedBlock(context, { kind: "accepted", number }) ?? fail("BLOCK_NOT_FOUND");
    const outcome = context.tracing.weighBlock(block);
    return outcome.kind === "ok" ? outcome.weights : failTraces(block, outcome);
  },
});

/** Encodes the members of get_block_bouncer_weights of Madara's feeder gateway. */
export function encodeWeights(weights: BouncerWeights): JsonObject {
  return {
    l1_gas: weights.l1Gas,
    message_segment_length: weights.messageSegmentLength,
    n_events: weights.eventCount,
    n_txs: weights.transactionCount,
    state_diff_size: weights.stateDiffSize,
    sierra_gas: weights.sierraGas,
    proving_gas: weights.provingGas,
    receipt_l2_gas: weights.receiptL2Gas,
  };
}
