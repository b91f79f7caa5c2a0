import { method } from "../method.ts";

/**
 * JSON-RPC method `starknet_syncing`: progress of synchronization, or false when the node is not
 * synchronizing.
 */
export const syncing = method({
  name: "syncing",
  family: "read",
  runsOn: "main",
  summary: "Progress of synchronization, or false when the node is not synchronizing.",
  params: () => ({}),
  result: (spec) => spec.syncStatus,
  answer: (spec) => spec.schemas.syncStatus,
  errors: [],
  handler: (context) => context.syncStatus(),
});
