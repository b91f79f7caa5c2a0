import { literal } from "#base/codec/index.ts";
import { type BlockId, stateOf } from "../../block-id.ts";
import { optional, required } from "../../method.ts";
import { blockOrFail } from "../../methods/shared.ts";
import { balanceUnit, contractAddress } from "../codecs.ts";
import { balanceIn, devnetMethod } from "../devnet-context.ts";

/** Tags of the older parameter; `pending` was renamed to `pre_confirmed`. */
const BLOCK_TAG = literal("latest", "pre_confirmed", "pending");

/** JSON-RPC method `devnet_getAccountBalance`: balance of an account in a fee token. */
export const getAccountBalance = devnetMethod({
  name: "devnet_getAccountBalance",
  family: "read",
  runsOn: "main",
  summary: "Balance of an account in a fee token.",
  params: (spec) => ({
    address: required(contractAddress),
    unit: optional(balanceUnit, "FRI"),
    block_id: optional(spec.blockId, undefined),
    block_tag: optional(BLOCK_TAG, "latest"),
  }),
  result: () => (balance: { readonly amount: string; readonly unit: string }) => balance,
  errors: ["BLOCK_NOT_FOUND"],
  handler(context, { address, unit, block_id: blockId, block_tag: tag }, fail) {
    const tagged: BlockId = { kind: tag === "latest" ? "latest" : "pre_confirmed" };
    const block = blockOrFail(context, blockId ?? tagged, fail);
    const amount = balanceIn(context.devnet, stateOf(context, block), address, unit);
    return { amount: String(amount), unit };
  },
});
