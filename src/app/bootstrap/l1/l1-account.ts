import { BaseError, encodeDeployData, encodeFunctionData, keccak256 } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { BootstrapError } from "#base/errors/index.ts";
import type { RpcNode } from "../net/json-rpc.ts";
import { type Waiting, waitFor } from "../net/wait.ts";
import type { Hex } from "../settings/forms.ts";
import { type L1ContractName, l1Artifact } from "./artifacts.ts";
import { isUnreachable, type L1Call, L1Reader } from "./l1-reader.ts";

/** A signed L1 transaction. */
export interface SignedL1 {
  readonly hash: Hex;
  readonly raw: Hex;
}

interface L1Request {
  /** Omitted when it deploys a contract. */
  readonly to?: Hex;
  readonly data: Hex;
  readonly nonce: number;
  readonly value: bigint;
  /** Describes the request in errors. */
  readonly what: string;
}

/** Options of {@link L1Account}. */
export interface L1AccountOptions {
  readonly node: RpcNode;
  readonly chainId: number;
  readonly key: Hex;
  /** Deadline for a transaction to be included, milliseconds. */
  readonly transactionWaitMs: number;
  readonly waiting: Waiting;
}

/** Gas limit of a transaction, as a percentage of its estimate. */
const GAS_MARGIN_PERCENT = 120n;

/**
 * Maximum cost of a transaction, whatever prices a node reports. The core contract reaches it from about 200
 * gwei on.
 */
const MAX_COST_WEI = 10n ** 18n;

/** An L1 account that sends transactions one at a time, each once the previous one is in a block. */
export class L1Account extends L1Reader {
  readonly #options: L1AccountOptions;
  readonly #account: PrivateKeyAccount;

  constructor(options: L1AccountOptions) {
    super(options.node, options.chainId);
    this.#options = options;
    this.#account = privateKeyToAccount(options.key);
  }

  /** Account address, in lower case. */
  get address(): Hex {
    return this.#account.address.toLowerCase() as Hex;
  }

  balanceWei(): Promise<bigint> {
    const { address } = this.#account;
    return this.attempt("the deployer's balance", () => this.client.getBalance({ address }));
  }

  /** Returns the nonce of the next transaction, once none is in flight. */
  async settledNonce(): Promise<number> {
    const { waiting, transactionWaitMs } = this.#options;
    const { address } = this.#account;
    const nonce = await waitFor(waiting, transactionWaitMs, async () => {
      const count = (blockTag: "latest" | "pending"): Promise<number> =>
        this.attempt("the deployer's nonce", () =>
          this.client.getTransactionCount({ address, blockTag }),
        );
      const [latest, pending] = [await count("latest"), await count("pending")];
      if (!isNonce(latest) || !isNonce(pending)) {
        throw this.node.nonsense("does not return a valid nonce");
      }
      return pending <= latest ? latest : undefined;
    });
    if (nonce !== undefined) return nonce;
    throw new BootstrapError(
      "BOOTSTRAP_PENDING",
      `a transaction of ${address} is pending on L1 for longer than L1_WAIT_TIME: wait until it is in a block, or increase L1_WAIT_TIME, and run this again`,
    );
  }

  /** Whether a call would succeed if `from` sent it. */
  wouldSucceed({ address, contract, functionName, args }: L1Call, from: Hex): Promise<boolean> {
    const data = encodeFunctionData({ abi: l1Artifact(contract).abi, functionName, args });
    return this.attempt(functionName, async () => {
      try {
        await this.client.call({ account: from, to: address, data });
        return true;
      } catch (cause) {
        // The node responded, but with an error: the call would revert.
        if (cause instanceof BaseError && cause.walk(isUnreachable) === null) return false;
        throw cause;
      }
    });
  }

  /** Deploys a contract in a transaction with this nonce. */
  async deploy(contract: L1ContractName, args: readonly unknown[], nonce: number): Promise<void> {
    const data = encodeDeployData({ ...l1Artifact(contract), args });
    await this.#send({ data, nonce, value: 0n, what: `the deployment of ${contract}` });
  }

  /** Calls a function in a transaction. */
  async write(call: L1Call, value: bigint): Promise<void> {
    const { address, contract, functionName, args } = call;
    const data = encodeFunctionData({ abi: l1Artifact(contract).abi, functionName, args });
    const nonce = await this.settledNonce();
    await this.#send({ to: address, data, nonce, value, what: `${functionName} of ${contract}` });
  }

  /**
   * Signs a call with the next nonce without sending it. The result can be sent repeatedly and is executed
   * at most once.
   */
  async sign(call: L1Call, value: bigint): Promise<SignedL1> {
    const { address, contract, functionName, args } = call;
    const data = encodeFunctionData({ abi: l1Artifact(contract).abi, functionName, args });
    const nonce = await this.settledNonce();
    const what = `${functionName} of ${contract}`;
    return this.#sign({ to: address, data, nonce, value, what });
  }

  /**
   * Sends a signed transaction unless it is in a block, and waits until it is.
   *
   * @returns its logs
   * @throws {BootstrapError} when it failed, or is not in a block in time
   */
  async include({ hash, raw }: SignedL1, what: string): Promise<readonly unknown[]> {
    const { waiting, transactionWaitMs } = this.#options;
    const before = await this.receipt(hash, what);
    const refusal = before === undefined ? await this.#broadcast(raw, what) : undefined;
    const found =
      before ?? (await waitFor(waiting, transactionWaitMs, () => this.receipt(hash, what)));
    if (found?.isSuccess === true) return found.logs;
    const said = refusal === undefined ? "" : ` (the node said: ${refusal.message})`;
    const message =
      found === undefined
        ? `${what} is in no block of L1 after L1_WAIT_TIME: transaction ${hash}${said}; run this again once it is, or increase L1_WAIT_TIME`
        : `${what} failed on L1: transaction ${hash}`;
    throw new BootstrapError("BOOTSTRAP_L1_TRANSACTION", message);
  }

  async #send(request: L1Request): Promise<void> {
    const { what } = request;
    const signed = await this.#sign(request);
    await this.attempt(what, () =>
      this.client.sendRawTransaction({ serializedTransaction: signed.raw }),
    );
    await this.include(signed, what);
  }

  /** @returns the node's refusal, if any: it may already have the transaction, as the receipt will show */
  async #broadcast(raw: Hex, what: string): Promise<BootstrapError | undefined> {
    try {
      await this.attempt(what, () =>
        this.client.sendRawTransaction({ serializedTransaction: raw }),
      );
      return undefined;
    } catch (cause) {
      if (cause instanceof BootstrapError && cause.code === "BOOTSTRAP_L1") return cause;
      throw cause;
    }
  }

  async #sign(request: L1Request): Promise<SignedL1> {
    const { what, ...transaction } = request;
    const { node, chainId } = this.#options;
    const account = this.#account;
    return this.attempt(what, async () => {
      const [gas, fees] = await Promise.all([
        this.client.estimateGas({ account, ...transaction }),
        this.client.estimateFeesPerGas({ chain: null, type: "eip1559" }),
      ]);
      const gasLimit = (gas * GAS_MARGIN_PERCENT) / 100n;
      if (gasLimit * fees.maxFeePerGas > MAX_COST_WEI) {
        const message = `${what} may cost more than 1 ETH at the prices that the node of ${node.name} reports: try another node, or later`;
        throw new BootstrapError("BOOTSTRAP_COST", message);
      }
      const raw = await account.signTransaction({
        ...transaction,
        ...fees,
        gas: gasLimit,
        chainId,
        type: "eip1559",
      });
      // Compute the hash here; the node's is not needed.
      return { hash: keccak256(raw), raw };
    });
  }
}

function isNonce(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0;
}
