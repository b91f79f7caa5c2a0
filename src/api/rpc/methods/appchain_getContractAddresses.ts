import { hexFromFelt } from "#base/primitives/index.ts";
import type { ChainContracts } from "../context.ts";
import { method } from "../method.ts";
import { FELT, record } from "../spec/schemas/common.ts";

/**
 * appchain_getContractAddresses: the same in every version of the specification, of which it is no part.
 *
 * What the feeder gateway's get_contract_addresses tells, for those who have the JSON-RPC address alone.
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
