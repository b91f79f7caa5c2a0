import { record } from "../../spec/schemas/common.ts";
import { adminMethod } from "../admin-context.ts";

/**
 * JSON-RPC method `appchain_shutdown`: stops the node gracefully, like a signal; responds before it
 * stops.
 */
export const shutdown = adminMethod({
  name: "appchain_shutdown",
  family: "write",
  runsOn: "main",
  summary: "Stops the node gracefully, like a signal; responds before it stops.",
  params: () => ({}),
  result: () => () => ({ stopping: true }),
  answer: () => record({ stopping: { const: true } }),
  errors: [],
  handler: (context) => context.admin.shutdown(),
});
