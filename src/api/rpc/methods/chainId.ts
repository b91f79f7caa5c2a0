import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { method } from "../method.ts";
import { FELT } from "../spec/schemas/common.ts";

/** JSON-RPC method `starknet_chainId`: id of the configured chain. */
export const chainId = method({
  name: "chainId",
  family: "read",
  runsOn: "main",
  summary: "Id of the configured chain.",
  params: () => ({}),
  result: () => (id: Felt) => hexFromFelt(id),
  answer: () => FELT,
  errors: [],
  handler: (context) => context.chainId,
});
