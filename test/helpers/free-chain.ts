import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ec, hash } from "starknet";
import { feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { casmHashFunctionOf } from "#protocol/chain/index.ts";
import { rawCall } from "./binary.ts";

const ROOT = resolve(import.meta.dir, "../..");

interface Artifact {
  readonly classHash: string;
  readonly compiledClassHashV1: string;
  readonly compiledClassHashV2: string;
}

/** Returns a class that ships with the program, with its hashes, by name. */
export function shippedClass(name: "account" | "erc20" | "universal_deployer") {
  const folder = join(ROOT, "contracts/l2");
  const artifacts = JSON.parse(readFileSync(join(folder, "artifacts.json"), "utf8")) as Record<
    string,
    Artifact
  >;
  const artifact = artifacts[name];
  if (artifact === undefined) throw new TypeError(`there is no class ${name}`);
  const sierra = JSON.parse(readFileSync(join(folder, `${name}.sierra.json`), "utf8")) as {
    readonly sierra_program: readonly string[];
    readonly contract_class_version: string;
    readonly entry_points_by_type: object;
    readonly abi: unknown;
  };
  const abi = typeof sierra.abi === "string" ? sierra.abi : JSON.stringify(sierra.abi);
  const { sierra_program, contract_class_version, entry_points_by_type } = sierra;
  const contractClass = { sierra_program, contract_class_version, entry_points_by_type, abi };
  return { ...artifact, contractClass };
}

/** Resource bounds of a free transaction: gas of every kind, at price zero. */
export const FREE_BOUNDS = {
  l1_gas: { max_amount: 100_000n, max_price_per_unit: 0n },
  l1_data_gas: { max_amount: 100_000n, max_price_per_unit: 0n },
  l2_gas: { max_amount: 1_000_000_000n, max_price_per_unit: 0n },
} as const;

const WIRE_BOUNDS = Object.fromEntries(
  Object.entries(FREE_BOUNDS).map(([name, { max_amount }]) => [
    name,
    { max_amount: hexFromFelt(max_amount), max_price_per_unit: "0x0" },
  ]),
);

/** Declares a shipped class without a sender. @returns the response as on the wire */
export function declareByNobody(
  url: string,
  name: Parameters<typeof shippedClass>[0],
  protocolVersion: string,
  parts: object = {},
) {
  const { contractClass, compiledClassHashV1, compiledClassHashV2 } = shippedClass(name);
  const isBlake = casmHashFunctionOf(protocolVersion) === "blake";
  return rawCall(url, "starknet_addDeclareTransaction", [
    {
      type: "DECLARE",
      version: "0x3",
      signature: [],
      nonce: "0x0",
      sender_address: hexFromFelt(feltFromShortString("BOOTSTRAP")),
      compiled_class_hash: isBlake ? compiledClassHashV2 : compiledClassHashV1,
      contract_class: contractClass,
      account_deployment_data: [],
      resource_bounds: WIRE_BOUNDS,
      tip: "0x0",
      paymaster_data: [],
      nonce_data_availability_mode: "L1",
      fee_data_availability_mode: "L1",
      ...parts,
    },
  ]);
}

/** Account of a key, of the shipped class with salt 0. */
export function accountOf(privateKey: string) {
  const publicKey = ec.starkCurve.getStarkKey(privateKey);
  const { classHash } = shippedClass("account");
  const address = hash.calculateContractAddressFromHash(0, classHash, [publicKey], 0);
  return { privateKey, publicKey, classHash, address };
}

/**
 * Writes the configuration of mainnet with another native fee token, blocks of half a second, and
 * without the key of its sequencer.
 */
export function writeFreeConfig(path: string, protocolVersion: string, nativeFeeToken: string) {
  const fields = new Map([
    ["native_fee_token_address", `"${nativeFeeToken}"`],
    ["latest_protocol_version", protocolVersion],
    ["block_time", "500ms"],
    ["pending_block_update_time", "100ms"],
  ]);
  const lines = readFileSync(join(ROOT, "presets/mainnet.yaml"), "utf8")
    .split("\n")
    .filter((line) => !/^(sequencer_public_key|feeder_gateway_url|gateway_url):/.test(line))
    .map((line) => {
      const value = fields.get(line.split(":")[0] ?? "");
      return value === undefined ? line : `${line.split(":")[0]}: ${value}`;
    });
  writeFileSync(path, lines.join("\n"));
}
