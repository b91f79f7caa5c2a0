import { gzipSync } from "node:zlib";
import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import {
  type DeclareV1,
  type DeclareV3,
  type DeployAccountV1,
  type DeployAccountV3,
  type InvokeV1,
  type InvokeV3,
  casmClassFromJson,
  casmHashFunctionOf,
  compiledClassHash,
  type SierraClass,
  transactionHash,
} from "#protocol/chain/index.ts";
import { selectorFromName, sign } from "#protocol/crypto/index.ts";
import { freePort } from "./binary.ts";
import { renamedClass } from "./declare-world.ts";
import type { Signer } from "./load.ts";
import { STRK } from "./tokens.ts";

/** Transactions that {@link signedForGateway} signs. */
export type GatewaySend =
  InvokeV1 | InvokeV3 | DeclareV1 | DeclareV3 | DeployAccountV1 | DeployAccountV3;

/**
 * Members of an unsigned version 3 transaction whose bounds suffice for any transaction of a
 * development chain.
 */
export const V3_MEMBERS = {
  version: 3,
  signature: [],
  nonce: 0n,
  tip: 0n,
  paymasterData: [],
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 0,
  resourceBounds: {
    l1Gas: { maxAmount: 100_000n, maxPricePerUnit: 1_000_000n },
    l1DataGas: { maxAmount: 100_000n, maxPricePerUnit: 1_000_000n },
    l2Gas: { maxAmount: 1_000_000_000n, maxPricePerUnit: 1_000_000n },
  },
} as const;

/**
 * Members of an unsigned version 1 transaction whose maximum fee suffices for any transaction of a
 * development chain.
 */
export const MAX_FEE_MEMBERS = {
  version: 1,
  signature: [],
  nonce: 0n,
  maxFee: 10n ** 17n,
} as const;

/** A transaction as sent by clients of a gateway. */
export interface GatewayBody {
  readonly hash: Felt;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Signs a transaction and encodes it as Pathfinder does: deployments of version 1 in decimals.
 *
 * @param contractClass - class of a declaration, in its wire format
 */
export function signedForGateway<T extends GatewaySend>(
  { privateKey }: Pick<Signer, "privateKey">,
  chainId: string,
  unsigned: T,
  contractClass?: unknown,
): GatewayBody {
  const hash = transactionHash(unsigned, feltFromShortString(chainId));
  const { r, s } = sign(privateKey, hash);
  const transaction = { ...unsigned, signature: [r, s] };
  return { hash, body: { ...membersOf(transaction), ...ofType(transaction, contractClass) } };
}

/** The Sierra class in the format of gateways. */
export function gatewaySierra({ sierraProgram, entryPoints, ...rest }: SierraClass) {
  const tables = Object.entries(entryPoints).map(([name, points]) => [
    name,
    points.map(({ selector, functionIdx }) => ({
      selector: hexFromFelt(selector),
      function_idx: functionIdx,
    })),
  ]);
  return {
    sierra_program: gzipSync(JSON.stringify(sierraProgram.map(hexFromFelt))).toString("base64"),
    contract_class_version: rest.contractClassVersion,
    entry_points_by_type: Object.fromEntries(tables) as unknown,
    abi: rest.abi,
  };
}

/** Reserves a port for a gateway. @returns the chain's arguments, and the URL */
export async function withGateway(more: readonly string[] = []) {
  const port = await freePort();
  const args: readonly string[] = ["--gateway-port", String(port), ...more];
  return { args, port, url: `http://127.0.0.1:${port}` };
}

/** An unsigned transfer of STRK. */
export function strkTransfer(
  { address: senderAddress }: Pick<Signer, "address">,
  to: Felt,
  nonce: bigint,
  amount = 1n,
): InvokeV3 {
  return {
    type: "INVOKE",
    ...V3_MEMBERS,
    nonce,
    senderAddress,
    calldata: [1n, BigInt(STRK), selectorFromName("transfer"), 3n, to, amount, 0n],
    accountDeploymentData: [],
    proofFacts: [],
  };
}

/**
 * An unsigned declaration of version 3 of an account class that no chain has declared.
 *
 * @param protocolVersion - determines the hash function of compiled classes
 */
export function undeclaredAccount(abi: string, protocolVersion = "0.14.4") {
  const { classHash, contractClass, casmJson } = renamedClass("account", abi);
  const casm = casmClassFromJson(casmJson ?? "");
  const hash = compiledClassHash(casm, casmHashFunctionOf(protocolVersion));
  const declare = (senderAddress: Felt, nonce: bigint): DeclareV3 => ({
    type: "DECLARE",
    ...V3_MEMBERS,
    nonce,
    senderAddress,
    classHash,
    compiledClassHash: hash,
    accountDeploymentData: [],
  });
  return { classHash, sierra: contractClass as SierraClass, declare };
}

/** Response of a gateway. */
export interface GatewayAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** JSON of the body, or its text if it is no JSON. */
  readonly json: unknown;
}

/** Posts a body to add_transaction; objects as JSON. */
export async function addTransaction(
  url: string,
  body: object | string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<GatewayAnswer> {
  const isObject = typeof body === "object" && !(body instanceof Uint8Array);
  const response = await fetch(`${url}/gateway/add_transaction`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: isObject ? JSON.stringify(body) : body,
  });
  const text = await response.text();
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    json: text.startsWith("{") ? (JSON.parse(text) as unknown) : text,
  };
}

const hexes = (felts: readonly Felt[]): string[] => felts.map(hexFromFelt);

function membersOf(transaction: GatewaySend): Record<string, unknown> {
  const { type, signature, nonce, version } = transaction;
  const shared = {
    type: type === "INVOKE" ? "INVOKE_FUNCTION" : type,
    version: `0x${version}`,
    signature: hexes(signature),
    nonce: hexFromFelt(nonce),
  };
  if (transaction.version !== 3) return { ...shared, max_fee: hexFromFelt(transaction.maxFee) };
  const { l1Gas, l1DataGas, l2Gas } = transaction.resourceBounds;
  const bound = (given: typeof l1DataGas) => ({
    max_amount: hexFromFelt(given?.maxAmount ?? 0n),
    max_price_per_unit: hexFromFelt(given?.maxPricePerUnit ?? 0n),
  });
  return {
    ...shared,
    resource_bounds: { L1_GAS: bound(l1Gas), L1_DATA_GAS: bound(l1DataGas), L2_GAS: bound(l2Gas) },
    tip: hexFromFelt(transaction.tip),
    paymaster_data: hexes(transaction.paymasterData),
    nonce_data_availability_mode: transaction.nonceDataAvailabilityMode,
    fee_data_availability_mode: transaction.feeDataAvailabilityMode,
  };
}

function ofType(transaction: GatewaySend, contractClass: unknown): Record<string, unknown> {
  const isNew = transaction.version === 3;
  switch (transaction.type) {
    case "INVOKE":
      return {
        sender_address: hexFromFelt(transaction.senderAddress),
        calldata: hexes(transaction.calldata),
        ...(isNew ? { account_deployment_data: [] } : {}),
      };
    case "DEPLOY_ACCOUNT": {
      const text = isNew ? hexFromFelt : String;
      return {
        class_hash: hexFromFelt(transaction.classHash),
        contract_address_salt: text(transaction.contractAddressSalt),
        constructor_calldata: transaction.constructorCalldata.map(text),
        ...(isNew ? {} : { signature: transaction.signature.map(text) }),
      };
    }
    case "DECLARE":
      return {
        sender_address: hexFromFelt(transaction.senderAddress),
        contract_class: contractClass,
        ...(transaction.version === 3
          ? {
              compiled_class_hash: hexFromFelt(transaction.compiledClassHash),
              account_deployment_data: [],
            }
          : {}),
      };
  }
}
