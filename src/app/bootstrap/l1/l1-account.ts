import {
  type Abi,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  custom,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  keccak256,
  type PublicClient,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { BootstrapError } from "#base/errors/index.ts";
import { METHOD_NOT_FOUND, RpcFault, type RpcNode, shown } from "../net/json-rpc.ts";
import { type Waiting, waitFor } from "../net/wait.ts";
import type { Hex } from "../settings/forms.ts";
import { type L1ContractName, l1Artifact } from "./artifacts.ts";

/** A function of a contract on L1, and what it is called with. */
export interface L1Call {
  readonly address: Hex;
  readonly contract: L1ContractName;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** What an account on L1 needs. */
export interface L1AccountOptions {
  readonly node: RpcNode;
  readonly chainId: number;
  readonly key: Hex;
  /** How long a transaction is waited for, milliseconds. */
  readonly transactionWaitMs: number;
  readonly waiting: Waiting;
}

/** What the estimate of a transaction's gas is raised to, percent. */
const GAS_MARGIN_PERCENT = 120n;

/** No transaction may cost more, whatever prices a node tells: the core contract does from some 200 gwei on. */
const MAX_COST_WEI = 10n ** 18n;

/** An account on L1 that sends one transaction after the other, each when the one before is in a block. */
export class L1Account {
  readonly #options: L1AccountOptions;
  readonly #client: PublicClient;
  readonly #account: PrivateKeyAccount;

  constructor(options: L1AccountOptions) {
    this.#options = options;
    const { node, chainId } = options;
    const provider = {
      request: ({ method, params }: { method: string; params?: unknown }) =>
        node.call(method, params ?? []),
    };
    this.#account = privateKeyToAccount(options.key);
    this.#client = createPublicClient({
      chain: defineChain({
        id: chainId,
        name: "L1",
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: { default: { http: [] } },
      }),
      transport: custom(provider, { retryCount: 0 }),
    });
  }

  chainId(): Promise<number> {
    return this.#try("the chain id", () => this.#client.getChainId());
  }

  balanceWei(): Promise<bigint> {
    const { address } = this.#account;
    return this.#try("the deployer's balance", () => this.#client.getBalance({ address }));
  }

  async hasCode(address: Hex): Promise<boolean> {
    const code = await this.#try(`the code at ${address}`, () => this.#client.getCode({ address }));
    return code !== undefined && code !== "0x";
  }

  /** The nonce of the next transaction, when none is on its way any more. */
  async settledNonce(): Promise<number> {
    const { waiting, transactionWaitMs } = this.#options;
    const { address } = this.#account;
    const nonce = await waitFor(waiting, transactionWaitMs, async () => {
      const count = (blockTag: "latest" | "pending"): Promise<number> =>
        this.#try("the deployer's nonce", () =>
          this.#client.getTransactionCount({ address, blockTag }),
        );
      const [latest, pending] = [await count("latest"), await count("pending")];
      if (!isNonce(latest) || !isNonce(pending)) {
        throw this.#options.node.nonsense("does not tell a nonce");
      }
      return pending <= latest ? latest : undefined;
    });
    if (nonce !== undefined) return nonce;
    throw new BootstrapError(
      "BOOTSTRAP_PENDING",
      `a transaction of ${address} waits on L1 for longer than L1_WAIT_TIME: wait until it is in a block, or give a longer time, and run this again`,
    );
  }

  /** What a function gives; `undefined` where no such contract is, or it fails. */
  async read(call: L1Call): Promise<unknown> {
    const { address, contract, functionName, args } = call;
    const { abi } = l1Artifact(contract);
    return this.#try(functionName, async () => {
      try {
        return await this.#client.readContract({ address, abi, functionName, args });
      } catch (cause) {
        if (isAbsent(cause)) return undefined;
        throw cause;
      }
    });
  }

  /** {@link read} of any contract. */
  readForeign(address: Hex, abi: Abi, functionName: string): Promise<unknown> {
    return this.#try(functionName, () =>
      this.#client.readContract({ address, abi, functionName, args: [] }),
    );
  }

  /** Whether a call would succeed for somebody. */
  wouldSucceed({ address, contract, functionName, args }: L1Call, from: Hex): Promise<boolean> {
    const data = encodeFunctionData({ abi: l1Artifact(contract).abi, functionName, args });
    return this.#try(functionName, async () => {
      try {
        await this.#client.call({ account: from, to: address, data });
        return true;
      } catch (cause) {
        // The node answered, and not with the result.
        if (cause instanceof BaseError && cause.walk(isUnreachable) === null) return false;
        throw cause;
      }
    });
  }

  /** Deploys a contract by the transaction with that nonce. */
  async deploy(contract: L1ContractName, args: readonly unknown[], nonce: number): Promise<void> {
    const data = encodeDeployData({ ...l1Artifact(contract), args });
    await this.#send({ data, nonce, value: 0n, what: `the deployment of ${contract}` });
  }

  /** Calls a function by a transaction. */
  async write(call: L1Call, value: bigint): Promise<void> {
    const { address, contract, functionName, args } = call;
    const data = encodeFunctionData({ abi: l1Artifact(contract).abi, functionName, args });
    const nonce = await this.settledNonce();
    await this.#send({ to: address, data, nonce, value, what: `${functionName} of ${contract}` });
  }

  async #send(request: {
    readonly to?: Hex;
    readonly data: Hex;
    readonly nonce: number;
    readonly value: bigint;
    readonly what: string;
  }): Promise<void> {
    const { what, ...transaction } = request;
    const { node, chainId, waiting, transactionWaitMs } = this.#options;
    const account = this.#account;
    const hash = await this.#try(what, async () => {
      const [gas, fees] = await Promise.all([
        this.#client.estimateGas({ account, ...transaction }),
        this.#client.estimateFeesPerGas({ chain: null, type: "eip1559" }),
      ]);
      const gasLimit = (gas * GAS_MARGIN_PERCENT) / 100n;
      if (gasLimit * fees.maxFeePerGas > MAX_COST_WEI) {
        const message = `${what} may cost more than 1 ETH by what the node of ${node.name} tells: try another one, or later`;
        throw new BootstrapError("BOOTSTRAP_COST", message);
      }
      const serializedTransaction = await account.signTransaction({
        ...transaction,
        ...fees,
        gas: gasLimit,
        chainId,
        type: "eip1559",
      });
      await this.#client.sendRawTransaction({ serializedTransaction });
      // What the node calls it does not matter.
      return keccak256(serializedTransaction);
    });
    const status = await waitFor(waiting, transactionWaitMs, () =>
      this.#try(what, async () => {
        const receipt: unknown = await this.#client.request({
          method: "eth_getTransactionReceipt",
          params: [hash],
        });
        if (typeof receipt !== "object" || receipt === null) return undefined;
        return "status" in receipt && receipt.status === "0x1" ? "succeeded" : "failed";
      }),
    );
    if (status === "succeeded") return;
    const message =
      status === "failed"
        ? `${what} failed on L1: transaction ${hash}`
        : `${what} is in no block of L1 after L1_WAIT_TIME: transaction ${hash}; run this again when it is, or give a longer time`;
    throw new BootstrapError("BOOTSTRAP_L1_TRANSACTION", message);
  }

  /** What viem throws has whole transactions in its text: what is shown is the reason alone. */
  async #try<T>(what: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      if (cause instanceof BootstrapError) throw cause;
      if (!(cause instanceof BaseError)) {
        throw this.#options.node.nonsense(`does not answer for ${what} as a node of L1 does`);
      }
      const own = cause.walk((inner) => inner instanceof BootstrapError);
      // A call that was refused is told with what was called, by viem.
      if (own instanceof BootstrapError && (isUnreachable(own) || isUnknown(own))) throw own;
      const said = own instanceof Error ? own.message : cause.shortMessage;
      throw new BootstrapError("BOOTSTRAP_L1", `${what} failed: ${shown(said)}`);
    }
  }
}

function isNonce(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0;
}

function isUnknown(cause: BootstrapError): boolean {
  return cause instanceof RpcFault && cause.rpcCode === METHOD_NOT_FOUND;
}

function isUnreachable(cause: unknown): boolean {
  return cause instanceof BootstrapError && cause.code !== "BOOTSTRAP_REFUSED";
}

function isAbsent(cause: unknown): boolean {
  return (
    cause instanceof BaseError &&
    cause.walk(
      (inner) =>
        inner instanceof ContractFunctionZeroDataError ||
        inner instanceof ContractFunctionRevertedError,
    ) !== null
  );
}
