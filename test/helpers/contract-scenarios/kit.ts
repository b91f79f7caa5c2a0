import { ec, hash } from "starknet";
import { type ArtifactIndex, readIndex } from "../../../scripts/contracts-lib/artifacts.ts";

/** A step or another part of a scenario file, as JSON. */
export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** A step of a scenario: a transaction, a direct call or a message from L1. */
export interface Step {
  readonly name: string;
  readonly tx?: { readonly [key: string]: Json };
  readonly call?: Json;
  readonly l1_handler?: Json;
  readonly flags?: Json;
}

/** A scenario file (see `test/fixtures/oracle/README.md`). */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly chain_id: string;
  readonly block: Json;
  readonly classes: Json;
  readonly state: Json;
  readonly steps: readonly Step[];
}

/** STRK, the fee token of version 3 transactions, at mainnet's address. */
export const STRK = "0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d";
/** ETH, the fee token of older transactions, at mainnet's address. */
export const ETH = "0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7";
/** Private keys of the accounts of the scenarios. */
export const KEYS = { alice: "0x1234567", bob: "0x89abcde", nobody: "0x7777777" } as const;
/** Address of a genesis account owned by {@link KEYS}.alice. */
export const ALICE = "0xa11ce";
/** Address of a genesis account owned by {@link KEYS}.bob. */
export const BOB = "0xb0b";
/** An unused address. */
export const STRANGER = "0xdead";

const RICH = "1000000000000000000000000";

/** Index entry of a contract: its class hashes. */
export function entry(name: string): ArtifactIndex[string] {
  const found = readIndex()[name];
  if (found === undefined) throw new RangeError(`no artifacts of ${name}`);
  return found;
}

/** Public key of a private key. */
export function publicKey(privateKey: string): string {
  return ec.starkCurve.getStarkKey(privateKey);
}

/** Signature `[r, s]` of a message. */
export function sign(message: string, privateKey: string): string[] {
  const { r, s } = ec.starkCurve.sign(message.slice(2), privateKey);
  return [r, s].map((half) => `0x${half.toString(16)}`);
}

/** Storage key of a variable, or of a map's entry (the low half of a u256). */
export function slot(variable: string, ...keys: readonly string[]): string {
  return keys.reduce(
    (address, key) => hash.computePedersenHash(address, key),
    hash.getSelectorFromName(variable),
  );
}

/** A short string as a felt. */
export function text(value: string): string {
  return `0x${Buffer.from(value).toString("hex")}`;
}

/** A u256 as its two halves. */
export function u256(value: bigint): string[] {
  return [value & (2n ** 128n - 1n), value >> 128n].map((half) => `0x${half.toString(16)}`);
}

/**
 * A scenario whose genesis has the two fee tokens, alice and bob, and the given contracts.
 *
 * @param more - additional addresses with fee tokens; the shipped class that is not declared yet
 */
export function scenario(
  name: string,
  about: string,
  protocolVersion: string,
  contracts: { readonly [address: string]: Json },
  steps: readonly Step[],
  more: { readonly richAddresses?: readonly string[]; readonly undeclared?: string } = {},
): Scenario {
  const account = entry("account").classHash;
  const erc20 = entry("erc20").classHash;
  const owned = (key: string): Json => ({
    class_hash: account,
    storage: { [slot("Account_public_key")]: publicKey(key) },
  });
  const token = (tokenName: string, symbol: string): Json => ({
    class_hash: erc20,
    storage: {
      [slot("ERC20_name")]: text(tokenName),
      [slot("ERC20_symbol")]: text(symbol),
      [slot("ERC20_decimals")]: "0x12",
      [slot("ERC20_total_supply")]: `0x${BigInt(RICH).toString(16)}`,
    },
  });
  return {
    name,
    about,
    chain_id: "SN_MAIN",
    block: {
      number: 2001,
      timestamp: 1_700_001_234,
      sequencer_address: "0x1176a1bd84444c89232ec27754698e5d2e7e1a7f1539f12027f28b23ec9f3d8",
      protocol_version: protocolVersion,
      use_kzg_da: true,
      gas_prices: {
        l1_gas: { wei: 1_000_000_000, fri: 100_000_000_000 },
        l1_data_gas: { wei: 1000, fri: 100_000 },
        l2_gas: { wei: 25_000, fri: 2_500_000 },
      },
    },
    classes: ["account", "erc20", "universal_deployer"]
      .filter((contract) => contract !== more.undeclared)
      .map((contract) => ({
        class_hash: entry(contract).classHash,
        sierra: `../../../contracts/l2/${contract}.sierra.json`,
        casm: `../../../contracts/l2/build/${contract}.casm.json`,
      })),
    state: {
      contracts: {
        [STRK]: token("Starknet Token", "STRK"),
        [ETH]: token("Ether", "ETH"),
        [ALICE]: owned(KEYS.alice),
        [BOB]: owned(KEYS.bob),
        ...contracts,
      },
      balances: [ALICE, BOB, ...(more.richAddresses ?? [])].flatMap((address) =>
        ["strk", "eth"].map((tokenName) => ({ address, token: tokenName, amount: RICH })),
      ),
    },
    steps: steps.map((step) => withBoundsOf(protocolVersion, step)),
  };
}

/** Bounds before 0.13.4: only on L1 gas. */
const L1_GAS_BOUNDS = {
  l1_gas: { max_amount: "0x989680", max_price_per_unit: "0x2e90edd000" },
  l2_gas: { max_amount: "0x0", max_price_per_unit: "0x0" },
};

function withBoundsOf(protocolVersion: string, step: Step): Step {
  const { tx } = step;
  if (tx === undefined || !("resource_bounds" in tx) || !FIRST_VERSIONS.test(protocolVersion)) {
    return step;
  }
  return { ...step, tx: { ...tx, resource_bounds: L1_GAS_BOUNDS } };
}

const FIRST_VERSIONS = /^0\.13\.[0-3](\.|$)/;

const V3 = {
  version: "0x3",
  resource_bounds: {
    l1_gas: { max_amount: "0x1e8480", max_price_per_unit: "0x2e90edd000" },
    l1_data_gas: { max_amount: "0x186a0", max_price_per_unit: "0x30d40" },
    l2_gas: { max_amount: "0x3b9aca00", max_price_per_unit: "0x4c4b40" },
  },
  tip: "0x0",
  paymaster_data: [],
  nonce_data_availability_mode: "L1",
  fee_data_availability_mode: "L1",
  signature: [],
} as const;

/** One call of an invoke transaction. */
export interface Call {
  readonly to: string;
  readonly entrypoint: string;
  readonly calldata: readonly string[];
}

/** The calldata of `__execute__` and `__validate__`. */
export function callArray(calls: readonly Call[]): string[] {
  return [
    `0x${calls.length.toString(16)}`,
    ...calls.flatMap(({ to, entrypoint, calldata }) => [
      to,
      hash.getSelectorFromName(entrypoint),
      `0x${calldata.length.toString(16)}`,
      ...calldata,
    ]),
  ];
}

/** An invoke transaction of version 3 with the account's current nonce. */
export function invoke(name: string, sender: string, key: string, calls: readonly Call[]): Step {
  return {
    name,
    tx: {
      type: "INVOKE",
      ...V3,
      sender_address: sender,
      calldata: callArray(calls),
      account_deployment_data: [],
      sign_with: key,
    },
  };
}

/** An invoke transaction of version 1, which pays with ETH. */
export function invokeV1(name: string, sender: string, key: string, calls: readonly Call[]): Step {
  return {
    name,
    tx: {
      type: "INVOKE",
      version: "0x1",
      sender_address: sender,
      calldata: callArray(calls),
      max_fee: "0xde0b6b3a7640000",
      signature: [],
      sign_with: key,
    },
  };
}

/** A deploy-account transaction of version 3 of the shipped account class. */
export function deployAccount(name: string, salt: string, owner: string, signer: string): Step {
  return {
    name,
    tx: {
      type: "DEPLOY_ACCOUNT",
      ...V3,
      class_hash: entry("account").classHash,
      contract_address_salt: salt,
      constructor_calldata: [publicKey(owner)],
      nonce: "0x0",
      sign_with: signer,
    },
  };
}

/** Address of an account of {@link deployAccount}. */
export function accountAddress(salt: string, owner: string): string {
  return hash.calculateContractAddressFromHash(
    salt,
    entry("account").classHash,
    [publicKey(owner)],
    0,
  );
}

/** A declare transaction of version 3 of a shipped contract. */
export function declare(
  name: string,
  sender: string,
  key: string,
  contract: string,
  compiledClassHash: string,
): Step {
  return {
    name,
    tx: {
      type: "DECLARE",
      ...V3,
      sender_address: sender,
      contract_class: {
        sierra: `../../../contracts/l2/${contract}.sierra.json`,
        casm: `../../../contracts/l2/build/${contract}.casm.json`,
      },
      compiled_class_hash: compiledClassHash,
      account_deployment_data: [],
      sign_with: key,
    },
  };
}

/** A direct call of a function by `caller` whose changes persist unless it fails. */
export function call(
  name: string,
  to: string,
  entrypoint: string,
  calldata: readonly string[] = [],
  caller = "0x0",
): Step {
  return {
    name,
    call: {
      contract_address: to,
      entry_point_selector: hash.getSelectorFromName(entrypoint),
      calldata,
      caller,
      commit: true,
    },
  };
}
