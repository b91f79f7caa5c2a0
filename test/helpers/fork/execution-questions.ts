import { hash } from "starknet";
import { resultOf, type RunningChain } from "../binary.ts";
import { STRK } from "../tokens.ts";
import type { Question } from "./question.ts";

/** Executions on the state of a block, and a proof of it: of a transfer by an account, which is not signed. */
export async function executionQuestions(
  chain: RunningChain,
  sender_address: string,
  block: number,
): Promise<Question[]> {
  const block_id = { block_number: block };
  const nonce = await resultOf<string>(chain, "starknet_getNonce", [block_id, sender_address]);
  const [transfer, balanceOf] = ["transfer", "balance_of"].map(hash.getSelectorFromName);
  const noBound = { max_amount: "0x0", max_price_per_unit: "0x0" };
  const invoke = {
    type: "INVOKE",
    version: "0x3",
    ...{ sender_address, nonce, signature: [] },
    calldata: ["0x1", STRK, transfer, "0x3", "0x5afe", "0x1", "0x0"],
    resource_bounds: { l1_gas: noBound, l1_data_gas: noBound, l2_gas: noBound },
    tip: "0x0",
    ...{ paymaster_data: [], account_deployment_data: [] },
    ...{ nonce_data_availability_mode: "L1", fee_data_availability_mode: "L1" },
  };
  const call = { contract_address: STRK, entry_point_selector: balanceOf };
  const simulation_flags = ["SKIP_VALIDATE", "SKIP_FEE_CHARGE"];
  return [
    { method: "call", params: { request: { ...call, calldata: [sender_address] }, block_id } },
    { method: "call", params: { request: { ...call, calldata: [] }, block_id } },
    {
      method: "estimateFee",
      params: { request: [invoke], simulation_flags: ["SKIP_VALIDATE"], block_id },
    },
    {
      method: "simulateTransactions",
      params: { transactions: [invoke], simulation_flags, block_id },
    },
    {
      method: "getStorageProof",
      params: { block_id, class_hashes: [], contract_addresses: [STRK, sender_address] },
    },
  ];
}
