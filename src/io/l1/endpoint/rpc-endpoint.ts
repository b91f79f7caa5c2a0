import { createClient, type EIP1193RequestFn, type Hex, numberToHex, toHex } from "viem";
import type { L1Limits } from "../limits.ts";
import type { L1Address, L1Block } from "../types.ts";
import { contradiction, nonsense } from "./fault.ts";
import { RpcChannel, type RpcChannelOptions } from "./rpc-channel.ts";
import { count, data, hash, list, members, quantity } from "./values.ts";

/** What is asked of a chain's consensus. */
export type L1Tag = "latest" | "safe" | "finalized";

/** Base fees in wei per gas of the blocks up to the newest, and of the next one. */
export interface FeeHistory {
  readonly baseFees: readonly bigint[];
  readonly blobBaseFees: readonly bigint[];
}

/** Blocks whose fees are asked for. */
const FEE_BLOCKS = 300;

/** One endpoint of L1: typed questions, and answers of the form that they must have. */
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
    // viem's own transports have no bound on an answer, and addresses with keys in their errors.
    const config = { key: "bounded", name: channel.name, type: "bounded", request };
    this.#client = createClient({ transport: () => ({ config, request }) });
  }

  /** Without anything that may be a key. */
  get name(): string {
    return this.#channel.name;
  }

  async chainId(): Promise<number> {
    return count(await this.#client.request({ method: "eth_chainId" }), "the chain id");
  }

  /** `undefined`: there is none of that number, or the consensus has none yet. */
  async block(which: number | L1Tag): Promise<L1Block | undefined> {
    const block: unknown = await this.#client.request({
      method: "eth_getBlockByNumber",
      params: [typeof which === "number" ? numberToHex(which) : which, false],
    });
    if (block === null) return undefined;
    const fields = members(block, "a block");
    const number = count(fields["number"], "number of a block");
    if (typeof which === "number" && number !== which) {
      throw contradiction(`${this.name} answers with block ${number} for block ${which}`);
    }
    return {
      number,
      hash: hash(fields["hash"], "hash of a block"),
      parentHash: hash(fields["parentHash"], "parent hash of a block"),
      timestamp: count(fields["timestamp"], "timestamp of a block"),
    };
  }

  /** The code at an address; `0x`: none. */
  async code(address: L1Address, which: number | "latest"): Promise<Hex> {
    const code: unknown = await this.#client.request({
      method: "eth_getCode",
      params: [addressHex(address), typeof which === "number" ? numberToHex(which) : which],
    });
    return data(code, "the code of a contract");
  }

  /** What a call of a contract gives in the state after a block. */
  async contractCall(to: L1Address, input: Hex, blockNumber: number): Promise<Hex> {
    const output: unknown = await this.#client.request({
      method: "eth_call",
      params: [{ to: addressHex(to), data: input }, numberToHex(blockNumber)],
    });
    return data(output, "what a call gives");
  }

  /** What code gives that is deployed nowhere, run as a contract's creation in the state after a block. */
  async run(code: Hex, blockNumber: number): Promise<Hex> {
    const output: unknown = await this.#client.request({
      method: "eth_call",
      params: [{ data: code }, numberToHex(blockNumber)],
    });
    return data(output, "what a call gives");
  }

  /** Logs of a transaction as they came; none where it is not known. */
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

  /** `eth_gasPrice`: what a transaction pays now, in wei per gas. */
  async gasPrice(): Promise<bigint> {
    return quantity(await this.#client.request({ method: "eth_gasPrice" }), "the gas price");
  }

  /** `eth_blobBaseFee`: what blobs cost in the next block, in wei per blob gas. */
  async blobBaseFee(): Promise<bigint> {
    const fee = await this.#client.request({ method: "eth_blobBaseFee" });
    return quantity(fee, "the blob base fee");
  }

  /** Logs as they came; what they say is not looked at. */
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

/** An address as JSON-RPC writes it. */
export function addressHex(address: L1Address): Hex {
  return toHex(address, { size: 20 });
}

function fees(value: unknown, what: string): readonly bigint[] {
  const found = list(value, what).map((fee) => quantity(fee, what));
  // One more than blocks were asked for: the next block's.
  if (found.length > FEE_BLOCKS + 1) throw nonsense(`${what} has more blocks than were asked for`);
  return found;
}
