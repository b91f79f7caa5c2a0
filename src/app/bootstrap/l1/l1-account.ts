import { BaseError, encodeDeployData, encodeFunctionData, keccak256 } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { BootstrapError } from "#base/errors/index.ts";
import type { RpcNode } from "../net/json-rpc.ts";
import { type Waiting, waitFor } from "../net/wait.ts";
import type { Hex } from "../settings/forms.ts";
import { type L1ContractName, l1Artifact } from "./artifacts.ts";
import { isUnreachable, type L1Call, L1Reader } from "./l1-reader.ts";

/** A signed transaction of L1. */
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
  /** Names it in errors. */
  readonly what: string;
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
export class L1Account extends L1Reader {
  readonly #options: L1AccountOptions;
  readonly #account: PrivateKeyAccount;

  constructor(options: L1AccountOptions) {
    super(options.node, options.chainId);
    this.#options = options;
    this.#account = privateKeyToAccount(options.key);
  }

  /** Of the account, in lower case. */
  get address(): Hex {
    return this.#account.address.toLowerCase() as Hex;
  }

  balanceWei(): Promise<bigint> {
    const { address } = this.#account;
    return this.attempt("the deployer's balance", () => this.client.getBalance({ address }));
  }

  /** The nonce of the next transaction, when none is on its way any more. */
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
        throw this.node.nonsense("does not tell a nonce");
      }
      return pending <= latest ? latest : undefined;
    });
    if (nonce !== undefined) return nonce;
    throw new BootstrapError(
      "BOOTSTRAP_PENDING",
      `a transaction of ${address} waits on L1 for longer than L1_WAIT_TIME: wait until it is in a block, or give a longer time, and run this again`,
    );
  }

  /** Whether a call would succeed for somebody. */
  wouldSucceed({ address, contract, functionName, args }: L1Call, from: Hex): Promise<boolean> {
    const data = encodeFunctionData({ abi: l1Artifact(contract).abi, functionName, args });
    return this.attempt(functionName, async () => {
      try {
        await this.client.call({ account: from, to: address, data });
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
   * Sends what was signed unless it is in a block, and waits until it is in one.
   *
   * @returns its logs
   * @throws {BootstrapError} when it failed, or is in no block in time
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
        ? `${what} is in no block of L1 after L1_WAIT_TIME: transaction ${hash}${said}; run this again when it is, or give a longer time`
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

  /** @returns the node's refusal, if any: it may have the transaction already, which the receipt shows */
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
        const message = `${what} may cost more than 1 ETH by what the node of ${node.name} tells: try another one, or later`;
        throw new BootstrapError("BOOTSTRAP_COST", message);
      }
      const raw = await account.signTransaction({
        ...transaction,
        ...fees,
        gas: gasLimit,
        chainId,
        type: "eip1559",
      });
      // What the node calls it does not matter.
      return { hash: keccak256(raw), raw };
    });
  }
}

function isNonce(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0;
}
