import {
  type Abi,
  type Address,
  encodeAbiParameters,
  getAddress,
  type Hex,
  keccak256,
  toHex,
} from "viem";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { RunningAnvil } from "./anvil.ts";
import { CORE_ABI, MOCK_VERIFIER_ABI, PROXY_ABI } from "./l1-core-abi.ts";

/** Hash of the program whose outputs the core contracts of tests accept. */
export const TEST_PROGRAM_HASH = 0x41fc2a467ef8649580631912517edcab7674173f1dbfa2e9b64fbcd82bc4d79n;

/** Hash of the configuration of the tests' chains. */
export const TEST_CONFIG_HASH = 0x32ee9a5311d00fb7ecb72de6eeeb0352349fa58766e387715342021ac546acan;

/** Block number -1 as program outputs encode it: the core contract has no block yet. */
export const NO_BLOCK = 0x800000000000011000000000000000000000000000000000000000000000000n;

/** A core contract on anvil with its verifier; the first account governs and operates both. */
export interface DeployedCore {
  readonly address: Address;
  readonly verifier: Address;
  readonly implementation: Address;
}

/** A state update, and its messages. */
export interface TestUpdate {
  readonly previous: { readonly root: bigint; readonly number: bigint; readonly hash: bigint };
  readonly next: { readonly root: bigint; readonly number: bigint; readonly hash: bigint };
  /** Words of the messages to L1, then to L2, without the lengths. */
  readonly toL1: readonly bigint[];
  readonly toL2: readonly bigint[];
}

/** Deploys an artifact of `contracts/l1` and waits for it. */
export async function deployL1(
  { client }: Pick<RunningAnvil, "client">,
  name: string,
  args: readonly unknown[],
): Promise<Address> {
  const path = resolve(import.meta.dir, `../../contracts/l1/${name}.json`);
  const { abi, bytecode } = JSON.parse(readFileSync(path, "utf8")) as { abi: Abi; bytecode: Hex };
  const hash = await client.deployContract({ abi, bytecode, args });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (contractAddress === null || contractAddress === undefined) {
    throw new TypeError(`${name} was not deployed`);
  }
  return getAddress(contractAddress);
}

/**
 * Initialization data of a core contract behind its proxy: no external initializer, then its seven
 * words.
 */
export function coreInitData(words: {
  readonly programHash: bigint;
  readonly aggregatorProgramHash: bigint;
  readonly verifier: Address;
  readonly configHash: bigint;
  readonly root: bigint;
  readonly number: bigint;
  readonly hash: bigint;
}): Hex {
  const [zero, felt, address, signed] = [
    { type: "address" },
    { type: "uint256" },
    { type: "address" },
    { type: "int256" },
  ] as const;
  return encodeAbiParameters(
    [zero, felt, felt, address, felt, felt, signed, felt],
    [
      "0x0000000000000000000000000000000000000000",
      words.programHash,
      words.aggregatorProgramHash,
      words.verifier,
      words.configHash,
      words.root,
      words.number,
      words.hash,
    ],
  );
}

/**
 * Deploys verifier, core contract and proxy, initialized without a block; upgrades have no delay.
 */
export async function deployCore(anvil: Pick<RunningAnvil, "client">): Promise<DeployedCore> {
  const { client } = anvil;
  const verifier = await deployL1(anvil, "MockVerifier", []);
  const implementation = await deployL1(anvil, "CoreContract", []);
  const address = await deployL1(anvil, "Proxy", [0n]);
  const data = coreInitData({
    programHash: TEST_PROGRAM_HASH,
    aggregatorProgramHash: 0n,
    verifier,
    configHash: TEST_CONFIG_HASH,
    root: 0n,
    number: -1n,
    hash: 0n,
  });
  for (const functionName of ["addImplementation", "upgradeTo"] as const) {
    const args = [implementation, data, false] as const;
    const hash = await client.writeContract({ address, abi: PROXY_ABI, functionName, args });
    await client.waitForTransactionReceipt({ hash });
  }
  const hash = await client.writeContract({
    address,
    abi: CORE_ABI,
    functionName: "registerOperator",
    args: [client.account.address],
  });
  await client.waitForTransactionReceipt({ hash });
  return { address, verifier, implementation };
}

/** Program output of an update with the data on L1 as calldata. */
export function updateOutput({ previous, next, toL1, toL2 }: TestUpdate): bigint[] {
  return [
    previous.root,
    next.root,
    previous.number < 0n ? NO_BLOCK : previous.number,
    next.number,
    previous.hash,
    next.hash,
    0n,
    TEST_CONFIG_HASH,
    0n,
    0n,
    BigInt(toL1.length),
    ...toL1,
    BigInt(toL2.length),
    ...toL2,
  ];
}

/** Fact that the verifier must know for the core contract to accept the output, with empty data. */
export function updateFact(output: readonly bigint[]): Hex {
  const length = BigInt(output.length);
  const root = BigInt(keccak256(words([BigInt(keccak256(words(output))), length, 0n, length])));
  return keccak256(words([TEST_PROGRAM_HASH, root + 1n]));
}

/** Encodes values as 32 bytes each. */
export function words(values: readonly bigint[]): Hex {
  return `0x${values.map((value) => toHex(value, { size: 32 }).slice(2)).join("")}`;
}

/** Registers the fact of an output and posts it, from the first account. @returns the receipt */
export async function postUpdate(
  { client }: Pick<RunningAnvil, "client">,
  { address, verifier }: DeployedCore,
  update: TestUpdate,
) {
  const output = updateOutput(update);
  const registered = await client.writeContract({
    address: verifier,
    abi: MOCK_VERIFIER_ABI,
    functionName: "registerFact",
    args: [updateFact(output)],
  });
  await client.waitForTransactionReceipt({ hash: registered });
  const hash = await client.writeContract({
    address,
    abi: CORE_ABI,
    functionName: "updateState",
    args: [output, 0n, 0n],
  });
  return client.waitForTransactionReceipt({ hash });
}
