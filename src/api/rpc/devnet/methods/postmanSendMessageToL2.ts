import { ethAddress, felt, u128Hex } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { repeatWhileMissing } from "../../fork/repeat.ts";
import { optional, required } from "../../method.ts";
import { contractAddress, payload } from "../codecs.ts";
import { devnetMethod, newestState } from "../devnet-context.ts";

/** JSON-RPC method `devnet_postmanSendMessageToL2`: executes a message as if L1 had sent it. */
export const postmanSendMessageToL2 = devnetMethod({
  name: "devnet_postmanSendMessageToL2",
  family: "write",
  runsOn: "main",
  summary: "Executes a message as if L1 had sent it.",
  params: (spec) => ({
    l2_contract_address: required(contractAddress),
    entry_point_selector: required(felt),
    l1_contract_address: required(ethAddress),
    payload: required(payload),
    paid_fee_on_l1: required(u128Hex),
    nonce: required(felt),
    l1_transaction_hash: optional(spec.l1TransactionHash, undefined),
  }),
  result: () => (hash: Felt) => ({ transaction_hash: hexFromFelt(hash) }),
  errors: ["CONTRACT_NOT_FOUND"],
  async handler(context, params, fail, client) {
    const l2ContractAddress = params.l2_contract_address;
    const classHash = await repeatWhileMissing(context.fork, client, () =>
      newestState(context).classHashAt(l2ContractAddress),
    );
    if (classHash === 0n) return fail("CONTRACT_NOT_FOUND");
    return context.devnet.sendMessage({
      l2ContractAddress,
      l1ContractAddress: params.l1_contract_address,
      entryPointSelector: params.entry_point_selector,
      payload: params.payload,
      nonce: params.nonce,
      paidFeeOnL1: params.paid_fee_on_l1,
      l1TransactionHash: params.l1_transaction_hash ?? null,
    });
  },
});
