import { poseidonHashMany, sign } from "@scure/starknet";
import type { Call } from "../decode/calls.ts";
import { type Json, type JsonObject, listOf, objectOf, textOf } from "../rpc/json.ts";
import { PageError } from "../rpc/page-error.ts";
import { rpc } from "./chain.ts";

/** Account that the page signs for. The key stays in the page. */
export interface Signer {
  readonly address: string;
  readonly privateKey: string;
}

/** Share added to the estimate of each amount of gas and of each price, in percent. */
const MARGIN_PERCENT = 50n;

/** Returns the funded accounts of a devnet. */
export async function fundedAccounts(): Promise<readonly Signer[]> {
  return listOf(await rpc.call("devnet_getPredeployedAccounts")).map((one) => ({
    address: textOf(objectOf(one)["address"]),
    privateKey: textOf(objectOf(one)["private_key"]),
  }));
}

/** Signs calls and submits them. @returns the hash of the transaction */
export async function sendCalls(signer: Signer, calls: readonly Call[]): Promise<string> {
  const { address } = signer;
  const [nonce, chainId] = await Promise.all([
    rpc.call("starknet_getNonce", { block_id: "pre_confirmed", contract_address: address }),
    rpc.call("starknet_chainId"),
  ]);
  const base = unsigned(address, textOf(nonce), calldataOf(calls));
  const bare = { ...base, version: QUERY_VERSION, resource_bounds: boundsOf({}) };
  const estimate = await rpc.call("starknet_estimateFee", {
    request: [{ ...bare, signature: signatureOf(signer, bare, textOf(chainId)) }],
    simulation_flags: [],
    block_id: "pre_confirmed",
  });
  const final = { ...base, resource_bounds: boundsOf(objectOf(listOf(estimate)[0])) };
  const invoke_transaction = { ...final, signature: signatureOf(signer, final, textOf(chainId)) };
  const result = objectOf(await rpc.call("starknet_addInvokeTransaction", { invoke_transaction }));
  const hash = textOf(result["transaction_hash"]);
  if (hash === "") throw new PageError("The node returned no transaction hash.");
  return hash;
}

/** Version of an invoke, and of one that is only estimated. */
const VERSION = "0x3";
const QUERY_VERSION = `0x${((1n << 128n) + 3n).toString(16)}`;

interface Invoke extends JsonObject {
  readonly sender_address: string;
  readonly nonce: string;
  readonly calldata: readonly string[];
  readonly version: string;
  readonly tip: string;
}

function unsigned(sender: string, nonce: string, calldata: readonly string[]): Invoke {
  return {
    type: "INVOKE",
    version: VERSION,
    sender_address: sender,
    calldata,
    nonce,
    tip: "0x0",
    paymaster_data: [],
    account_deployment_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  };
}

/** Calldata of `__execute__` of Cairo 1 accounts. */
function calldataOf(calls: readonly Call[]): readonly string[] {
  const flat = calls.flatMap(({ to, selector, calldata }) => [
    to,
    selector,
    `0x${calldata.length.toString(16)}`,
    ...calldata,
  ]);
  return [`0x${calls.length.toString(16)}`, ...flat];
}

const RESOURCES = ["l1_gas", "l2_gas", "l1_data_gas"] as const;

/** Returns resource bounds from an estimate; zero without one. */
function boundsOf(estimate: JsonObject): JsonObject {
  const withMargin = (value: Json | undefined): string => {
    const text = typeof value === "string" && value !== "" ? value : "0x0";
    return `0x${((BigInt(text) * (100n + MARGIN_PERCENT)) / 100n).toString(16)}`;
  };
  return Object.fromEntries(
    RESOURCES.map((name) => [
      name,
      {
        max_amount: withMargin(estimate[`${name}_consumed`]),
        max_price_per_unit: withMargin(estimate[`${name}_price`]),
      },
    ]),
  );
}

/**
 * Hash of an invoke of version 3. Source: Starknet documentation, "Transactions", section "v3 hash calculation".
 */
export function invokeHash(transaction: JsonObject, chainId: string): bigint {
  const bounds = objectOf(transaction["resource_bounds"]);
  const resources = [
    ["L1_GAS", "l1_gas"],
    ["L2_GAS", "l2_gas"],
    ["L1_DATA", "l1_data_gas"],
  ].map(([name = "", field = ""]) => {
    const { max_amount, max_price_per_unit } = objectOf(bounds[field]);
    return (
      (asciiFelt(name) << 192n) |
      (BigInt(textOf(max_amount)) << 128n) |
      BigInt(textOf(max_price_per_unit))
    );
  });
  const calldata = listOf(transaction["calldata"]).map((felt) => BigInt(textOf(felt)));
  return poseidonHashMany([
    asciiFelt("invoke"),
    BigInt(textOf(transaction["version"])),
    BigInt(textOf(transaction["sender_address"])),
    poseidonHashMany([BigInt(textOf(transaction["tip"])), ...resources]),
    poseidonHashMany([]),
    BigInt(chainId),
    BigInt(textOf(transaction["nonce"])),
    0n,
    poseidonHashMany([]),
    poseidonHashMany(calldata),
  ]);
}

function signatureOf(
  { privateKey }: Signer,
  transaction: JsonObject,
  chainId: string,
): readonly string[] {
  const { r, s } = sign(
    invokeHash(transaction, chainId).toString(16),
    privateKey.replace(/^0x/, ""),
  );
  return [`0x${r.toString(16)}`, `0x${s.toString(16)}`];
}

function asciiFelt(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  return bytes.reduce((felt, byte) => (felt << 8n) | BigInt(byte), 0n);
}
