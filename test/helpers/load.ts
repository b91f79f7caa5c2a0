import {
  contractAddress,
  type DeployAccountV3,
  type InvokeV3,
  transactionHash,
} from "#protocol/chain/index.ts";
import { publicKey as publicKeyOf, selectorFromName, sign } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { STRK } from "./tokens.ts";

/** An account that signs. */
export interface Signer {
  readonly address: Felt;
  readonly privateKey: Felt;
}

/** A signed transaction as the body of its request. */
export interface SignedTransfer {
  readonly hash: Felt;
  readonly body: string;
}

const TRANSFER = selectorFromName("transfer");
const BOUNDS = {
  l1Gas: { maxAmount: 100_000n, maxPricePerUnit: 1_000_000n },
  l1DataGas: { maxAmount: 100_000n, maxPricePerUnit: 1_000_000n },
  l2Gas: { maxAmount: 20_000_000n, maxPricePerUnit: 1_000_000n },
};

function bound(value: { maxAmount: bigint; maxPricePerUnit: bigint }) {
  return {
    max_amount: hexFromFelt(value.maxAmount),
    max_price_per_unit: hexFromFelt(value.maxPricePerUnit),
  };
}

/** Common fields of version 3 transactions on the wire. */
const WIRE_FIELDS = {
  version: "0x3",
  resource_bounds: {
    l1_gas: bound(BOUNDS.l1Gas),
    l1_data_gas: bound(BOUNDS.l1DataGas),
    l2_gas: bound(BOUNDS.l2Gas),
  },
  tip: "0x0",
  paymaster_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L1",
} as const;

/** A signed transfer of STRK, by default of 1 fri, as a request body. */
export function signedTransfer(
  chainId: string,
  signer: Signer,
  nonce: bigint,
  recipient: Felt,
  amount = 1n,
): SignedTransfer {
  const transfer = { to: BigInt(STRK), selector: TRANSFER, calldata: [recipient, amount, 0n] };
  return signedCalls(chainId, signer, nonce, [transfer]);
}

/** A call of a multicall. */
export interface SignedCall {
  readonly to: Felt;
  readonly selector: Felt;
  readonly calldata: readonly Felt[];
}

/** A signed multicall as a request body. */
export function signedCalls(
  chainId: string,
  signer: Signer,
  nonce: bigint,
  calls: readonly SignedCall[],
): SignedTransfer {
  const calldata = [
    BigInt(calls.length),
    ...calls.flatMap(({ to, selector, calldata: given }) => [
      ...[to, selector, BigInt(given.length)],
      ...given,
    ]),
  ];
  const unsigned: InvokeV3 = {
    type: "INVOKE",
    version: 3,
    signature: [],
    nonce,
    senderAddress: signer.address,
    calldata,
    accountDeploymentData: [],
    proofFacts: [],
    resourceBounds: BOUNDS,
    tip: 0n,
    paymasterData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
  };
  return signed(chainId, signer.privateKey, unsigned, "addInvokeTransaction", {
    sender_address: hexFromFelt(signer.address),
    calldata: calldata.map(hexFromFelt),
    account_deployment_data: [],
  });
}

/**
 * Address of an account of a class whose constructor takes the public key, which is also its salt.
 */
export function accountAddress(classHash: Felt, privateKey: Felt): Felt {
  const publicKey = publicKeyOf(privateKey);
  return contractAddress(0n, publicKey, classHash, [publicKey]);
}

/** A signed deployment of the account at {@link accountAddress}. */
export function signedDeployment(
  chainId: string,
  classHash: Felt,
  privateKey: Felt,
): SignedTransfer {
  const publicKey = publicKeyOf(privateKey);
  const unsigned: DeployAccountV3 = {
    type: "DEPLOY_ACCOUNT",
    version: 3,
    signature: [],
    nonce: 0n,
    contractAddress: accountAddress(classHash, privateKey),
    contractAddressSalt: publicKey,
    classHash,
    constructorCalldata: [publicKey],
    resourceBounds: BOUNDS,
    tip: 0n,
    paymasterData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
  };
  return signed(chainId, privateKey, unsigned, "addDeployAccountTransaction", {
    contract_address_salt: hexFromFelt(publicKey),
    class_hash: hexFromFelt(classHash),
    constructor_calldata: [hexFromFelt(publicKey)],
  });
}

/** Signs a transaction; `fields` are the wire fields of its type. */
function signed(
  chainId: string,
  privateKey: Felt,
  unsigned: InvokeV3 | DeployAccountV3,
  method: string,
  fields: Readonly<Record<string, unknown>>,
): SignedTransfer {
  const hash = transactionHash(unsigned, feltFromShortString(chainId));
  const { r, s } = sign(privateKey, hash);
  const transaction = {
    ...WIRE_FIELDS,
    type: unsigned.type,
    signature: [hexFromFelt(r), hexFromFelt(s)],
    nonce: hexFromFelt(unsigned.nonce),
    ...fields,
  };
  const request = { jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params: [transaction] };
  return { hash, body: JSON.stringify(request) };
}
