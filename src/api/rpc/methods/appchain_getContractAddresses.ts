import { hexFromFelt } from "#base/primitives/index.ts";
import type { ChainContracts } from "../context.ts";
import { method } from "../method.ts";
import { FELT, record } from "../spec/schemas/common.ts";

/**
 * JSON-RPC method `appchain_getContractAddresses`: the core contract on L1 (0x0: none) and the fee
 * tokens on L2 that the chain is configured with. Served for every version of the specification,
 * and part of none. Same content as the feeder gateway's get_contract_addresses, for clients that
 * know only the JSON-RPC address.
 */
export const getContractAddresses = method({
  name: "appchain_getContractAddresses",
  family: "read",
  runsOn: "main",
  summary:
    "The core contract on L1 (0x0: none) and the fee tokens on L2 that the chain is configured with.",
  params: () => ({}),
  result: () => (contracts: ChainContracts) => ({
    core_contract: hexFromFelt(contracts.coreContract),
    native_fee_token: hexFromFelt(contracts.nativeFeeToken),
    parent_fee_token: hexFromFelt(contracts.parentFeeToken),
  }),
  answer: () => record({ core_contract: FELT, native_fee_token: FELT, parent_fee_token: FELT }),
  errors: [],
  handler: (context) => context.contracts,
});
