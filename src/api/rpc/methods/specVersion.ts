import { method } from "../method.ts";

/** JSON-RPC method `starknet_specVersion`: version of the JSON-RPC specification in use. */
export const specVersion = method({
  name: "specVersion",
  family: "read",
  runsOn: "main",
  summary: "Version of the JSON-RPC specification in use.",
  params: () => ({}),
  result: (spec) => () => spec.version,
  answer: (spec) => ({ const: spec.version }),
  errors: [],
  handler: () => null,
});
