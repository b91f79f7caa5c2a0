import {
  type Decoder,
  felt,
  integer,
  type JsonObject,
  type JsonValue,
  textOf,
} from "#base/codec/index.ts";
import { DecodeError, NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type CasmClass, casmClassCodec, type ContractClass } from "#protocol/chain/index.ts";
import { type RemoteBlock, remoteBlock, type RemoteHashes, remoteHashes } from "./answers/block.ts";
import { remoteClass } from "./answers/contract-class.ts";
import { type RemoteProof, remoteProof } from "./answers/proof.ts";
import { type RemoteTraces, remoteTraces } from "./answers/reads.ts";
import { type RemoteUpdate, remoteUpdate } from "./answers/state-update.ts";
import { type RemoteTrace, remoteTrace } from "./answers/trace.ts";
import type { RpcChannel } from "./channel.ts";
import { FeltLists } from "./felts/felt-lists.ts";

/** Keys to prove in one request. */
export interface ProofRequest {
  readonly classHashes: readonly Felt[];
  readonly contractAddresses: readonly Felt[];
  readonly storageKeys: readonly {
    readonly contractAddress: Felt;
    readonly keys: readonly Felt[];
  }[];
}

const versionText = textOf({ maxLength: 64 });

/**
 * Client of a Starknet node's JSON-RPC 0.10.2 API that returns domain values. Responses are checked against
 * the shapes of the specification; the caller verifies their content.
 *
 * Every method throws {@link RpcRefusal} when the node responds with an error. It throws {@link NodeError}
 * when the node does not respond, or with another shape.
 */
export class NodeClient {
  readonly #channel: RpcChannel;

  constructor(channel: RpcChannel) {
    this.#channel = channel;
  }

  /** Version of the specification that the node implements. */
  specVersion(): Promise<string> {
    return this.#ask("specVersion", {}, versionText);
  }

  /** Chain id as a short string felt. */
  chainId(): Promise<Felt> {
    return this.#ask("chainId", {}, felt);
  }

  /** Number of the newest accepted block. */
  blockNumber(): Promise<number> {
    return this.#ask("blockNumber", {}, integer());
  }

  /** Returns a block with its transactions, proof facts included, and their receipts. */
  block(blockNumber: number): Promise<RemoteBlock> {
    const flags = { response_flags: ["INCLUDE_PROOF_FACTS"] };
    return this.#ask("getBlockWithReceipts", { ...at(blockNumber), ...flags }, remoteBlock);
  }

  blockHashes(blockNumber: number): Promise<RemoteHashes> {
    return this.#ask("getBlockWithTxHashes", at(blockNumber), remoteHashes);
  }

  stateUpdate(blockNumber: number): Promise<RemoteUpdate> {
    return this.#ask("getStateUpdate", at(blockNumber), remoteUpdate);
  }

  /** Returns the traces of a block's transactions, and the state they read from before the block. */
  traces(blockNumber: number): Promise<RemoteTraces> {
    const params = { ...at(blockNumber), trace_flags: ["RETURN_INITIAL_READS"] };
    return this.#channel.stream("starknet_traceBlockTransactions", params, remoteTraces);
  }

  trace(transactionHash: Felt): Promise<RemoteTrace> {
    const params = { transaction_hash: hexFromFelt(transactionHash) };
    return this.#channel.stream("starknet_traceTransaction", params, () =>
      remoteTrace(new FeltLists()),
    );
  }

  /** Returns proof paths through the tries as they are after a block. */
  storageProof(blockNumber: number, request: ProofRequest): Promise<RemoteProof> {
    const params = {
      ...at(blockNumber),
      class_hashes: request.classHashes.map(hexFromFelt),
      contract_addresses: request.contractAddresses.map(hexFromFelt),
      contracts_storage_keys: request.storageKeys.map(({ contractAddress, keys }) => ({
        contract_address: hexFromFelt(contractAddress),
        storage_keys: keys.map(hexFromFelt),
      })),
    };
    return this.#ask("getStorageProof", params, remoteProof);
  }

  /** Returns a class that is declared in the state after a block. */
  contractClass(classHash: Felt, blockNumber: number): Promise<ContractClass> {
    const params = { ...at(blockNumber), class_hash: hexFromFelt(classHash) };
    return this.#ask("getClass", params, remoteClass);
  }

  /** Returns the compiled code of a Sierra class. */
  compiledClass(classHash: Felt): Promise<CasmClass> {
    return this.#ask("getCompiledCasm", { class_hash: hexFromFelt(classHash) }, casmClassCodec);
  }

  async #ask<T>(
    name: string,
    params: Readonly<Record<string, JsonValue>>,
    decoder: Decoder<T>,
  ): Promise<T> {
    const method = `starknet_${name}`;
    const answer = await this.#channel.call(method, params);
    try {
      return decoder.decode(answer, "");
    } catch (cause) {
      if (!(cause instanceof DecodeError)) throw cause;
      const message = `the answer to ${method} does not match the specification: ${cause.message}`;
      throw new NodeError("NODE_BAD_ANSWER", message, { cause });
    }
  }
}

function at(blockNumber: number): Record<string, JsonObject> {
  return { block_id: { block_number: blockNumber } };
}
