import { felt } from "#base/codec/index.ts";
import type { DropOutcome } from "#services/admission/index.ts";
import { required } from "../../method.ts";
import { record, texts } from "../../spec/schemas/common.ts";
import { adminMethod } from "../admin-context.ts";

/**
 * JSON-RPC method `appchain_dropTransaction`: permanently drops a waiting transaction from the
 * mempool; `outcome` is IN_FLIGHT while it is being executed.
 */
export const dropTransaction = adminMethod({
  name: "appchain_dropTransaction",
  family: "write",
  runsOn: "main",
  summary:
    "Permanently drops a waiting transaction from the mempool; `outcome` is IN_FLIGHT while it is being executed.",
  params: () => ({ transaction_hash: required(felt) }),
  result: () => (outcome: DropOutcome) => ({ outcome: outcome.toUpperCase() }),
  answer: () => record({ outcome: texts("DROPPED", "UNKNOWN", "IN_FLIGHT") }),
  errors: [],
  handler: (context, { transaction_hash: hash }) => context.admin.dropTransaction(hash),
});
