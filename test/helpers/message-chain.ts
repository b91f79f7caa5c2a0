import { expect } from "bun:test";
import { hash } from "starknet";
import { DevnetProvider } from "starknet-devnet";
import { rawCall, type RunningChain } from "./binary.ts";
import { type ClassFiles, declare } from "./declares.ts";
import { findingsOf } from "./rpc.ts";
import { NO_ESTIMATE } from "./tokens.ts";
import type { ChainOptions } from "./use-chain.ts";

const FEATURE = "blockifier/feature_contracts/cairo1";

/**
 * Files of the reference engine's test contract: it has handlers of messages from L1, and sends
 * messages to L1.
 */
export const TEST_CONTRACT: ClassFiles = {
  sierra: `${FEATURE}/sierra/cairo_steps_test_contract.sierra.json`,
  casm: `${FEATURE}/compiled/cairo_steps_test_contract.casm.json`,
  classHash: "0x1c0253731eba042dbe7f96a7d64e2c23880452c4c9a7f45cab5061823781dc7",
};

/** Address of the contract on L1 that sends the messages. */
export const L1_CONTRACT = "0x8359e4b0152ed5a731162d3c7b0d8d56edb165a0";

/** A message to the test contract. */
export interface SentMessage {
  readonly handler: string;
  readonly payload: readonly string[];
  readonly nonce: string;
  /** Fee in wei; default 1000. */
  readonly fee?: string;
  readonly l1Hash?: string;
}

/** Members of a receipt that tests read. */
export interface MessageReceipt {
  readonly message_hash?: string;
  readonly execution_status: string;
  readonly finality_status: string;
  readonly revert_reason?: string;
  readonly actual_fee: { readonly amount: string; readonly unit: string };
  readonly execution_resources: Readonly<Record<"l1_gas" | "l1_data_gas" | "l2_gas", number>>;
  readonly messages_sent: readonly unknown[];
}

/** Start options of a development chain that makes blocks only on request. */
export const ON_DEMAND: ChainOptions = { args: ["--block-generation-on", "demand"] };

/**
 * A development chain with blocks on request, and a contract that receives messages from L1 and
 * sends messages to it.
 */
export class MessageChain {
  readonly chain: RunningChain;
  /** Address of the contract. */
  readonly contract: string;

  constructor(chain: RunningChain, contract: string) {
    this.chain = chain;
    this.contract = contract;
  }

  /** Declares and deploys the contract on a chain with {@link ON_DEMAND}; requires fixtures. */
  static async deploy(chain: RunningChain): Promise<MessageChain> {
    const devnet = new DevnetProvider({ url: chain.url });
    const account = chain.account(0);
    const declared = await declare(account, TEST_CONTRACT);
    await devnet.createBlock();
    const constructorCalldata = ["0x1", "0x2"];
    const deployed = await account.deploy(
      { classHash: declared.class_hash, constructorCalldata },
      NO_ESTIMATE,
    );
    await devnet.createBlock();
    return new MessageChain(chain, deployed.contract_address[0] ?? "");
  }

  /** Client of the current process. */
  get devnet(): DevnetProvider {
    return new DevnetProvider({ url: this.chain.url });
  }

  /** Result of a method in a version, checked against its schema. */
  async ask<T>(version: string, method: string, params: unknown): Promise<T> {
    const answer = await this.#answer(version, method, params);
    expect(answer.error).toBeUndefined();
    return answer.result as T;
  }

  /** Error of a method in a version, checked against its documented errors. */
  async refusal(version: string, method: string, params: unknown) {
    const { error } = await this.#answer(version, method, params);
    expect(error).toBeDefined();
    return error;
  }

  /** Submits a message as if L1 had sent it. @returns the hash of its transaction */
  async send(message: SentMessage): Promise<string> {
    const { result, error } = await this.trySend(message);
    expect(error).toBeUndefined();
    return (result as { transaction_hash: string }).transaction_hash;
  }

  /** Like {@link send}, but returns the whole response. */
  trySend({ handler, payload, nonce, fee = "0x3e8", l1Hash }: SentMessage) {
    return rawCall(this.chain.url, "devnet_postmanSendMessageToL2", {
      l2_contract_address: this.contract,
      entry_point_selector: hash.getSelectorFromName(handler),
      l1_contract_address: L1_CONTRACT,
      payload,
      paid_fee_on_l1: fee,
      nonce,
      ...(l1Hash === undefined ? {} : { l1_transaction_hash: l1Hash }),
    });
  }

  /** A storage variable of the contract at a block. */
  storage(key: string, block = "pre_confirmed"): Promise<string> {
    return this.ask("0.10.2", "getStorageAt", [this.contract, key, block]);
  }

  /** The receipt of a transaction in the newest version. */
  receipt(transactionHash: string): Promise<MessageReceipt> {
    return this.ask("0.10.2", "getTransactionReceipt", [transactionHash]);
  }

  /**
   * Sends a message to L1 with a transaction of an account, and waits until it is executed.
   * @returns its hash
   */
  async sendToL1(to: string, payload: readonly string[]): Promise<string> {
    const account = this.chain.account(0);
    const nonce = await account.getNonce("pre_confirmed");
    const { transaction_hash } = await account.execute(
      {
        contractAddress: this.contract,
        entrypoint: "test_send_message_to_l1",
        calldata: [to, String(payload.length), ...payload],
      },
      { ...NO_ESTIMATE, nonce },
    );
    while (BigInt(await account.getNonce("pre_confirmed")) === BigInt(nonce)) await Bun.sleep(10);
    return transaction_hash;
  }

  async #answer(version: string, method: string, params: unknown) {
    const path = version.split(".").slice(0, 2).join("_");
    const { result, error } = await rawCall(
      `${this.chain.url}/rpc/v${path}`,
      `starknet_${method}`,
      params,
    );
    const answer = error === undefined ? { result } : { error };
    const isServed = error?.code !== -32601;
    expect(isServed ? findingsOf(version, method, answer) : []).toEqual([]);
    return { result, error };
  }
}
