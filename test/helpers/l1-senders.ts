import { encodeFunctionData, type Hex, numberToHex } from "viem";
import { type RunningAnvil, startAnvil } from "./anvil.ts";
import type { RunningChain } from "./binary.ts";
import { resultOf } from "./binary.ts";
import { CORE_ABI } from "./l1-core-abi.ts";
import { type DeployedCore, deployCore } from "./l1-core.ts";

/** A message to L2 in the form of its sender. */
export interface MessageToL2 {
  readonly to: bigint;
  readonly selector: bigint;
  readonly payload: readonly bigint[];
}

/** Number of requests per body. */
const BATCH = 250;
const GAS = 1_000_000n;

/** An L1 with a core contract, and the account that sends messages to it. */
export class L1Senders {
  readonly anvil: RunningAnvil;
  readonly core: DeployedCore;

  private constructor(anvil: RunningAnvil, core: DeployedCore) {
    this.anvil = anvil;
    this.core = core;
  }

  /** Starts anvil with a block gas limit for hundreds of messages. */
  static async start(): Promise<L1Senders> {
    const anvil = await startAnvil(["--gas-limit", "300000000"]);
    try {
      return new L1Senders(anvil, await deployCore(anvil));
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  }

  /** Chain options to follow it with `depth` confirmations. */
  options(depth: number): string[] {
    return [
      "--l1-endpoint",
      this.anvil.url,
      "--l1-finality",
      String(depth),
      "--chain-config-override",
      `eth_core_contract_address=${this.core.address}`,
    ];
  }

  /** Sends messages, each in a separate transaction, all in one block. @returns the transactions */
  async send(messages: readonly MessageToL2[]): Promise<readonly Hex[]> {
    return this.#transactions(
      messages.map(({ to, selector, payload }) =>
        encodeFunctionData({
          abi: CORE_ABI,
          functionName: "sendMessageToL2",
          args: [to, selector, payload],
        }),
      ),
      1n,
    );
  }

  /** Starts to cancel a message of {@link send}. */
  async cancel({ to, selector, payload }: MessageToL2, nonce: bigint): Promise<void> {
    const data = encodeFunctionData({
      abi: CORE_ABI,
      functionName: "startL1ToL2MessageCancellation",
      args: [to, selector, payload, nonce],
    });
    await this.#transactions([data], 0n);
  }

  /** Mines empty blocks. */
  async mine(blocks: number): Promise<void> {
    await this.anvil.client.mine({ blocks });
  }

  stop(): Promise<void> {
    return this.anvil.stop();
  }

  async #transactions(datas: readonly Hex[], value: bigint): Promise<readonly Hex[]> {
    const { client } = this.anvil;
    await client.setAutomine(false);
    const { address } = client.account;
    const nonce = await client.getTransactionCount({ address });
    const hashes: Hex[] = [];
    for (let first = 0; first < datas.length; first += BATCH) {
      const requests = datas.slice(first, first + BATCH).map((data, id) => ({
        jsonrpc: "2.0",
        id,
        method: "eth_sendTransaction",
        params: [
          {
            from: address,
            nonce: numberToHex(nonce + first + id),
            to: this.core.address,
            data,
            value: numberToHex(value),
            gas: numberToHex(GAS),
          },
        ],
      }));
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify(requests);
      const response = await fetch(this.anvil.url, { method: "POST", headers, body });
      const answers = (await response.json()) as { id: number; result?: Hex; error?: unknown }[];
      for (const { result, error } of answers.toSorted((a, b) => a.id - b.id)) {
        if (result === undefined) throw new TypeError(JSON.stringify(error));
        hashes.push(result);
      }
      await client.mine({ blocks: 1 });
    }
    await client.setAutomine(true);
    return hashes;
  }
}

interface ListedTransaction {
  readonly type: string;
  readonly nonce: string;
  readonly transaction_hash: string;
}

/** An executed message of a chain. */
export interface ExecutedMessage {
  readonly nonce: number;
  readonly hash: string;
  readonly blockNumber: number;
}

/** Messages from L1 in the accepted blocks of a chain, in order, from a block on. */
export async function executedMessages(
  chain: Pick<RunningChain, "url">,
  fromBlock = 0,
  toBlock?: number,
): Promise<readonly ExecutedMessage[]> {
  const found: ExecutedMessage[] = [];
  const last = toBlock ?? (await resultOf<number>(chain, "starknet_blockNumber"));
  for (let blockNumber = fromBlock; blockNumber <= last; blockNumber++) {
    const params = [{ block_number: blockNumber }];
    const { transactions } = await resultOf<{ transactions: ListedTransaction[] }>(
      chain,
      "starknet_getBlockWithTxs",
      params,
    );
    for (const { type, nonce, transaction_hash: hash } of transactions) {
      if (type === "L1_HANDLER") found.push({ nonce: Number(nonce), hash, blockNumber });
    }
  }
  return found;
}
