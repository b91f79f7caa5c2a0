import { hexFromFelt, feltFromShortString } from "#base/primitives/index.ts";
import {
  type DeclareV3,
  type SierraClass,
  sierraClassCodec,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import { sign } from "#protocol/crypto/index.ts";
import type { Signer } from "./load.ts";

const GAS = { max_amount: "0x186a0", max_price_per_unit: "0xf4240" };
const L2_GAS = { max_amount: "0x2540be400", max_price_per_unit: "0xf4240" };

const boundOf = ({ max_amount, max_price_per_unit }: typeof GAS) => ({
  maxAmount: BigInt(max_amount),
  maxPricePerUnit: BigInt(max_price_per_unit),
});

/**
 * A signed declaration as the body of an addDeclareTransaction request.
 *
 * @param compiledClassHash - by default one that matches no class
 */
export function signedDeclare(
  chainId: string,
  signer: Signer,
  nonce: bigint,
  contractClass: SierraClass,
  compiledClassHash = 1n,
): string {
  const unsigned: DeclareV3 = {
    type: "DECLARE",
    version: 3,
    signature: [],
    nonce,
    senderAddress: signer.address,
    classHash: sierraClassHash(contractClass),
    compiledClassHash,
    accountDeploymentData: [],
    resourceBounds: { l1Gas: boundOf(GAS), l1DataGas: boundOf(GAS), l2Gas: boundOf(L2_GAS) },
    tip: 0n,
    paymasterData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
  };
  const { r, s } = sign(signer.privateKey, transactionHash(unsigned, feltFromShortString(chainId)));
  const declare_transaction = {
    type: "DECLARE",
    version: "0x3",
    signature: [hexFromFelt(r), hexFromFelt(s)],
    nonce: hexFromFelt(nonce),
    sender_address: hexFromFelt(signer.address),
    compiled_class_hash: hexFromFelt(compiledClassHash),
    contract_class: sierraClassCodec.encode(contractClass),
    account_deployment_data: [],
    resource_bounds: { l1_gas: GAS, l1_data_gas: GAS, l2_gas: L2_GAS },
    tip: "0x0",
    paymaster_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  };
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "starknet_addDeclareTransaction",
    params: { declare_transaction },
  });
}
