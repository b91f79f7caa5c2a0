import type { BootstrapError } from "#base/errors/index.ts";
import { type Felt, feltFromHex, hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { METHOD_NOT_FOUND, RpcFault, type RpcNode, shown } from "../net/json-rpc.ts";
import { CLASSES, type ClassName } from "./classes.ts";

/** A call of a contract function on L2. */
export interface L2Call {
  readonly address: Felt;
  readonly functionName: string;
  readonly calldata: readonly Felt[];
}

/** Contracts that a chain is configured with. */
export interface ConfiguredContracts {
  readonly core: Felt;
  readonly nativeFeeToken: Felt;
  readonly parentFeeToken: Felt;
}

/** Estimated use of each resource, with its price in units of the fee token. */
export type L2Estimate = Readonly<
  Record<"l1_gas" | "l2_gas" | "l1_data_gas", Readonly<Record<"amount" | "price", bigint>>>
>;

/** JSON-RPC error codes that count as results here. */
const CONTRACT_NOT_FOUND = 20;
const CLASS_HASH_NOT_FOUND = 28;
const TXN_HASH_NOT_FOUND = 29;
const CONTRACT_ERROR = 40;

/** Reads L2, always after the newest transaction. Validates the form of all responses. */
export class L2Reader {
  readonly #node: RpcNode;

  constructor(node: RpcNode) {
    this.#node = node;
  }

  async chainId(): Promise<Felt> {
    return this.#felt(await this.#ask("starknet_chainId", {}), "the chain id");
  }

  /** Returns the contracts that the chain is configured with; `undefined` when the node lacks the method. */
  async contracts(): Promise<ConfiguredContracts | undefined> {
    const answer = await this.#answerOr([METHOD_NOT_FOUND], "appchain_getContractAddresses", {});
    if (answer === undefined) return undefined;
    const found = this.#members(answer, "the contracts of the chain");
    return {
      core: this.#felt(found["core_contract"], "the core contract"),
      nativeFeeToken: this.#felt(found["native_fee_token"], "the native fee token"),
      parentFeeToken: this.#felt(found["parent_fee_token"], "the parent fee token"),
    };
  }

  /** Returns the class of a contract; `undefined` when it does not exist. */
  async classAt(address: Felt): Promise<Felt | undefined> {
    const answer = await this.#answerOr([CONTRACT_NOT_FOUND], "starknet_getClassHashAt", {
      block_id: "pre_confirmed",
      contract_address: hexFromFelt(address),
    });
    return answer === undefined ? undefined : this.#felt(answer, "a class hash");
  }

  async storageAt(address: Felt, key: Felt): Promise<Felt> {
    const answer = await this.#ask("starknet_getStorageAt", {
      block_id: "pre_confirmed",
      contract_address: hexFromFelt(address),
      key: hexFromFelt(key),
    });
    return this.#felt(answer, "a storage value");
  }

  async isDeclared(name: ClassName): Promise<boolean> {
    const answer = await this.#answerOr([CLASS_HASH_NOT_FOUND], "starknet_getClass", {
      block_id: "pre_confirmed",
      class_hash: hexFromFelt(CLASSES[name].classHash),
    });
    return answer !== undefined;
  }

  /** Returns a function's result; `undefined` when the contract does not exist or the call fails. */
  async read({ address, functionName, calldata }: L2Call): Promise<readonly Felt[] | undefined> {
    const answer = await this.#answerOr([CONTRACT_NOT_FOUND, CONTRACT_ERROR], "starknet_call", {
      block_id: "pre_confirmed",
      request: {
        contract_address: hexFromFelt(address),
        entry_point_selector: hexFromFelt(selectorFromName(functionName)),
        calldata: calldata.map(hexFromFelt),
      },
    });
    if (answer === undefined) return undefined;
    if (!Array.isArray(answer)) throw this.#nonsense(`the result of ${functionName}`);
    return answer.map((value) => this.#felt(value, functionName));
  }

  /** Returns the nonce of an account's next transaction. */
  async nonce(address: Felt): Promise<Felt> {
    const answer = await this.#ask("starknet_getNonce", {
      block_id: "pre_confirmed",
      contract_address: hexFromFelt(address),
    });
    return this.#felt(answer, "a nonce");
  }

  /** Returns the parts of the protocol version of the block being built. */
  async protocolVersion(): Promise<readonly number[]> {
    const block = await this.#ask("starknet_getBlockWithTxHashes", { block_id: "pre_confirmed" });
    const { starknet_version: version } = this.#members(block, "a block");
    if (typeof version !== "string" || !/^\d+\.\d+\.\d+(\.\d+)?$/.test(version)) {
      throw this.#nonsense("the protocol version of a block");
    }
    return version.split(".").map(Number);
  }

  /** Sends a transaction. @returns its hash; `undefined` when the node refuses with one of these codes */
  async sendOr(
    codes: readonly number[],
    method: string,
    params: unknown,
  ): Promise<string | undefined> {
    const answer = await this.#answerOr(codes, method, params);
    if (answer === undefined) return undefined;
    const { transaction_hash: hash } = this.#members(answer, "the hash of a transaction");
    return hexFromFelt(this.#felt(hash, "the hash of a transaction"));
  }

  /** Estimates a transaction's use of each resource, and its price. */
  async estimate(transaction: unknown): Promise<L2Estimate> {
    const answer = await this.#ask("starknet_estimateFee", {
      block_id: "pre_confirmed",
      request: [transaction],
      simulation_flags: [],
    });
    const [estimate] = Array.isArray(answer) ? (answer as unknown[]) : [];
    const found = this.#members(estimate, "an estimate");
    const resource = (name: keyof L2Estimate) => ({
      amount: this.#felt(found[`${name}_consumed`], "an estimate"),
      price: this.#felt(found[`${name}_price`], "an estimate"),
    });
    return {
      l1_gas: resource("l1_gas"),
      l2_gas: resource("l2_gas"),
      l1_data_gas: resource("l1_data_gas"),
    };
  }

  /** Returns the accepted block that contains a transaction; `undefined` when none does yet. */
  async acceptedBlockOf(hash: string): Promise<number | undefined> {
    const answer = await this.#answerOr([TXN_HASH_NOT_FOUND], "starknet_getTransactionReceipt", {
      transaction_hash: hash,
    });
    if (answer === undefined) return undefined;
    const { finality_status: finality, block_number: number } = this.#members(answer, "a receipt");
    if (finality !== "ACCEPTED_ON_L2" && finality !== "ACCEPTED_ON_L1") return undefined;
    if (typeof number === "number" && Number.isSafeInteger(number)) return number;
    throw this.#nonsense("the block of a transaction");
  }

  /** Returns "succeeded" or the failure reason of a transaction; `undefined` until it is executed. */
  async outcomeOf(hash: string): Promise<string | undefined> {
    const answer = await this.#answerOr([TXN_HASH_NOT_FOUND], "starknet_getTransactionStatus", {
      transaction_hash: hash,
    });
    if (answer === undefined) return undefined;
    const status = this.#members(answer, "the status of a transaction");
    const { finality_status: finality, execution_status: execution, failure_reason: why } = status;
    if (finality === "REJECTED" || execution === "REVERTED" || execution === "REJECTED") {
      return typeof why === "string" ? shown(why) : "the node returns no reason";
    }
    return execution === "SUCCEEDED" ? "succeeded" : undefined;
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    return this.#node.call(method, params);
  }

  /** Returns the result of a method; `undefined` when the node refuses with one of these codes. */
  async #answerOr(codes: readonly number[], method: string, params: unknown): Promise<unknown> {
    try {
      return await this.#ask(method, params);
    } catch (cause) {
      if (cause instanceof RpcFault && codes.includes(cause.rpcCode)) return undefined;
      throw cause;
    }
  }

  #felt(value: unknown, what: string): Felt {
    const felt = typeof value === "string" ? feltFromHex(value) : undefined;
    if (felt === undefined) throw this.#nonsense(what);
    return felt;
  }

  #members(value: unknown, what: string): Readonly<Record<string, unknown>> {
    if (typeof value !== "object" || value === null) throw this.#nonsense(what);
    return { ...value };
  }

  #nonsense(what: string): BootstrapError {
    return this.#node.nonsense(`does not return ${what} in the specification's form`);
  }
}
