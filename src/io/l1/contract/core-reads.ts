import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  size,
  slice,
  toHex,
} from "viem";
import { EndpointFault, nonsense } from "../endpoint/fault.ts";
import type { RpcEndpoint } from "../endpoint/rpc-endpoint.ts";
import type { CoreState, L1Address, MessageState } from "../types.ts";
import { CORE_ABI } from "./abi.ts";
import { MESSAGES_PER_CALL, messageStatesCode } from "./message-states-code.ts";

/** Endpoint and block to read the core contract at. */
export interface CorePlace {
  readonly endpoint: RpcEndpoint;
  readonly coreContractAddress: L1Address;
  readonly blockNumber: number;
}

type CoreGetter = "stateRoot" | "stateBlockNumber" | "stateBlockHash" | "l1ToL2MessageNonce";
type CoreMapping = "l1ToL2Messages" | "l1ToL2MessageCancellations";

/**
 * Reads the chain state in the core contract. Before its deployment, returns the state before the first
 * update.
 */
export async function readCoreState(place: CorePlace): Promise<CoreState> {
  const [stateRoot, blockNumber, blockHash] = await Promise.all([
    getter(place, "stateRoot", 0n),
    getter(place, "stateBlockNumber", -1n),
    getter(place, "stateBlockHash", 0n),
  ]);
  return { stateRoot, blockNumber, blockHash };
}

/** Reads the nonce of the next message to L2. */
export function readNextNonce(place: CorePlace): Promise<bigint> {
  return getter(place, "l1ToL2MessageNonce", 0n);
}

/** Reads the status of messages by their hashes, in the given order. */
export async function readMessageStates(
  place: CorePlace,
  hashes: readonly bigint[],
): Promise<readonly MessageState[]> {
  const found: MessageState[] = [];
  for (let from = 0; from < hashes.length; from += MESSAGES_PER_CALL) {
    const some = hashes.slice(from, from + MESSAGES_PER_CALL);
    const states = (await inOneCall(place, some)) ?? (await oneByOne(place, some));
    for (const state of states) found.push(state);
  }
  return found;
}

/**
 * Reads the status of many messages in one call. @returns `undefined` if the endpoint does not run undeployed
 * code, or the core contract does not exist
 */
async function inOneCall(
  { endpoint, coreContractAddress, blockNumber }: CorePlace,
  hashes: readonly bigint[],
): Promise<readonly MessageState[] | undefined> {
  let output: Hex;
  try {
    output = await endpoint.run(messageStatesCode(coreContractAddress, hashes), blockNumber);
  } catch (cause) {
    if (cause instanceof EndpointFault && cause.kind === "refused") return undefined;
    throw cause;
  }
  if (size(output) !== hashes.length * 64) return undefined;
  return hashes.map((_, index) => ({
    feePlusOne: hexToBigInt(slice(output, index * 64, index * 64 + 32)),
    cancellationStarted: hexToBigInt(slice(output, index * 64 + 32, index * 64 + 64)),
  }));
}

function oneByOne(place: CorePlace, hashes: readonly bigint[]): Promise<readonly MessageState[]> {
  return Promise.all(
    hashes.map(async (hash) => {
      const [feePlusOne, cancellationStarted] = await Promise.all([
        mapping(place, "l1ToL2Messages", hash),
        mapping(place, "l1ToL2MessageCancellations", hash),
      ]);
      return { feePlusOne, cancellationStarted };
    }),
  );
}

async function getter(place: CorePlace, functionName: CoreGetter, before: bigint): Promise<bigint> {
  const output = await callCore(place, encodeFunctionData({ abi: CORE_ABI, functionName }));
  return output === undefined ? before : result(place, functionName, output);
}

async function mapping(place: CorePlace, functionName: CoreMapping, key: bigint): Promise<bigint> {
  const input = encodeFunctionData({
    abi: CORE_ABI,
    functionName,
    args: [toHex(key, { size: 32 })],
  });
  const output = await callCore(place, input);
  return output === undefined ? 0n : result(place, functionName, output);
}

/** Calls the core contract. @returns `undefined` if it is not deployed at that block */
async function callCore(place: CorePlace, input: Hex): Promise<Hex | undefined> {
  const { endpoint, coreContractAddress, blockNumber } = place;
  const output = await endpoint.contractCall(coreContractAddress, input, blockNumber);
  if (output !== "0x") return output;
  const code = await endpoint.code(coreContractAddress, blockNumber);
  if (code === "0x") return undefined;
  throw nonsense(`${endpoint.name} returns nothing for a call of the core contract`);
}

const WORD_CHARACTERS = 66;

function result(
  { endpoint }: CorePlace,
  functionName: CoreGetter | CoreMapping,
  output: Hex,
): bigint {
  if (output.length !== WORD_CHARACTERS) {
    throw nonsense(`${endpoint.name} does not return a single word for ${functionName}`);
  }
  return decodeFunctionResult({ abi: CORE_ABI, functionName, data: output });
}
