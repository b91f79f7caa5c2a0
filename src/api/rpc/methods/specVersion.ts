import { method } from "../method.ts";

/** starknet_specVersion. */
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
