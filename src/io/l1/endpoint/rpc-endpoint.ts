import { createClient, type EIP1193RequestFn, type Hex, numberToHex, toHex } from "viem";
import type { L1Limits } from "../limits.ts";
import type { L1Address, L1Block } from "../types.ts";
import { contradiction, nonsense } from "./fault.ts";
import { RpcChannel, type RpcChannelOptions } from "./rpc-channel.ts";
import { count, data, hash, list, members, quantity } from "./values.ts";

/** Block tag of L1. */
export type L1Tag = "latest" | "safe" | "finalized";

/** Base fees in wei per gas of the latest blocks, followed by that of the next block. */
export interface FeeHistory {
  readonly baseFees: readonly bigint[];
  readonly blobBaseFees: readonly bigint[];
}

const FEE_BLOCKS = 300;

/** Typed client of one L1 endpoint that validates the shape of responses. */
export class RpcEndpoint {
  readonly #channel: RpcChannel;
  readonly #limits: L1Limits;
  readonly #client;

  constructor(options: RpcChannelOptions) {
    const channel = new RpcChannel(options);
    const { maxPlainBytes } = options.limits;
    this.#channel = channel;
    this.#limits = options.limits;
    const ask = ({ method, params }: { method: string; params?: unknown }): Promise<unknown> =>
      channel.call(method, Array.isArray(params) ? params : [], maxPlainBytes);
    const request = ask as EIP1193RequestFn;
    // viem's own transports do not limit responses, and their errors contain addresses with keys.
    const config = { key: "bounded", name: channel.name, type: "bounded", request };
    this.#client = createClient({ transport: () => ({ config, request }) });
  }

  /** Endpoint name without anything that may be a key. */
  get name(): string {
    return this.#channel.name;
  }

  async chainId(): Promise<number> {
    return count(await this.#client.request({ method: "eth_chainId" }), "the chain id");
  }

  /** Returns a block; `undefined` if it does not exist, or the tag has no block yet. */
  async block(which: number | L1Tag): Promise<L1Block | undefined> {
    const block: unknown = await this.#client.request({
      method: "eth_getBlockByNumber",
      params: [typeof which === "number" ? numberToHex(which) : which, false],
    });
    if (block === null) return undefined;
    const fields = members(block, "a block");
    const number = count(fields["number"], "number of a block");
    if (typeof which === "number" && number !== which) {
      throw contradiction(`${this.name} returns block ${number} for block ${which}`);
    }
    return {
      number,
      hash: hash(fields["hash"], "hash of a block"),
      parentHash: hash(fields["parentHash"], "parent hash of a block"),
      timestamp: count(fields["timestamp"], "timestamp of a block"),
    };
  }

  /** Returns the code at an address; `0x` if none. */
  async code(address: L1Address, which: number | "latest"): Promise<Hex> {
    const code: unknown = await this.#client.request({
      method: "eth_getCode",
      params: [addressHex(address), typeof which === "number" ? numberToHex(which) : which],
    });
    return data(code, "the code of a contract");
  }

  /** Returns the output of a contract call on the state after a block. */
  async contractCall(to: L1Address, input: Hex, blockNumber: number): Promise<Hex> {
    const output: unknown = await this.#client.request({
      method: "eth_call",
      params: [{ to: addressHex(to), data: input }, numberToHex(blockNumber)],
    });
    return data(output, "what a call gives");
  }

  /** Returns the output of undeployed code, run as a contract creation on the state after a block. */
  async run(code: Hex, blockNumber: number): Promise<Hex> {
    const output: unknown = await this.#client.request({
      method: "eth_call",
      params: [{ data: code }, numberToHex(blockNumber)],
    });
    return data(output, "what a call gives");
  }

  /** Returns the raw logs of a transaction; empty if the transaction is unknown. */
  async receiptLogs(transactionHash: bigint): Promise<readonly unknown[]> {
    const receipt: unknown = await this.#client.request({
      method: "eth_getTransactionReceipt",
      params: [toHex(transactionHash, { size: 32 })],
    });
    if (receipt === null) return [];
    return list(members(receipt, "a receipt")["logs"], "logs of a receipt");
  }

  async feeHistory(): Promise<FeeHistory> {
    const history: unknown = await this.#client.request({
      method: "eth_feeHistory",
      params: [numberToHex(FEE_BLOCKS), "latest", []],
    });
    const { baseFeePerGas, baseFeePerBlobGas = [] } = members(history, "the fee history");
    return {
      baseFees: fees(baseFeePerGas, "baseFeePerGas"),
      blobBaseFees: fees(baseFeePerBlobGas ?? [], "baseFeePerBlobGas"),
    };
  }

  /** `eth_gasPrice`: current price in wei per gas. */
  async gasPrice(): Promise<bigint> {
    return quantity(await this.#client.request({ method: "eth_gasPrice" }), "the gas price");
  }

  /** `eth_blobBaseFee`: price in the next block in wei per blob gas. */
  async blobBaseFee(): Promise<bigint> {
    const fee = await this.#client.request({ method: "eth_blobBaseFee" });
    return quantity(fee, "the blob base fee");
  }

  /** Returns raw logs; their content is not checked. */
  async logs(
    address: L1Address,
    topics: readonly Hex[],
    fromBlock: number,
    toBlock: number,
  ): Promise<readonly unknown[]> {
    const { maxAnswerBytes, maxBlockAnswerBytes } = this.#limits;
    const filter = {
      address: addressHex(address),
      topics: [topics],
      fromBlock: numberToHex(fromBlock),
      toBlock: numberToHex(toBlock),
    };
    const maxBytes = fromBlock === toBlock ? maxBlockAnswerBytes : maxAnswerBytes;
    return list(await this.#channel.call("eth_getLogs", [filter], maxBytes), "what logs there are");
  }
}

/** Formats an address for JSON-RPC. */
export function addressHex(address: L1Address): Hex {
  return toHex(address, { size: 20 });
}

function fees(value: unknown, what: string): readonly bigint[] {
  const found = list(value, what).map((fee) => quantity(fee, what));
  // One more than the requested blocks: the next block's fee.
  if (found.length > FEE_BLOCKS + 1) throw nonsense(`${what} has more blocks than requested`);
  return found;
}
