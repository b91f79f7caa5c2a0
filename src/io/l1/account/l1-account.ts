import { getContractAddress, type Hex, keccak256, numberToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { L1Error } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { pause } from "#io/http/index.ts";
import { endpointOf } from "#io/http/index.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { RpcChannel } from "../endpoint/rpc-channel.ts";
import { count, data, members, quantity } from "../endpoint/values.ts";
import type { L1Limits } from "../limits.ts";

/** Account that sends L1 transactions, and its endpoint. */
export interface L1AccountOptions {
  /** May contain credentials or a key, which no text shows. */
  readonly url: string;
  /** Private key on secp256k1; no text shows it. */
  readonly key: Hex;
  readonly limits: L1Limits;
  /** Timeout for including a transaction in a block, in milliseconds. */
  readonly transactionMs: number;
  readonly timer: Timer;
  /** Aborts requests in flight; a sent transaction stays sent. */
  readonly signal: AbortSignal;
}

/** First and maximum interval between polls for a transaction, in milliseconds. */
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 1_000;

/** Maximum price that is paid, whatever the endpoint proposes; wei per gas (1000 gwei). */
const MAX_FEE_PER_GAS = 1_000n * 10n ** 9n;

/** Maximum gas of a transaction, whatever the endpoint estimates. Source: EIP-7825, the limit of L1. */
const MAX_GAS = 1n << 24n;

/** Margin added to a gas estimate, in percent. */
const GAS_MARGIN_PERCENT = 20n;

/** Recipient, input and nonce of an L1 transaction to send; it transfers no ether. */
export interface L1Sending {
  /** `undefined` to deploy a contract. */
  readonly to: Hex | undefined;
  readonly input: Hex;
  readonly nonce: number;
}

/** Sends transactions on L1. */
export class L1Account {
  readonly #options: L1AccountOptions;
  readonly #account: PrivateKeyAccount;
  readonly #channel: RpcChannel;
  #chainId: number | undefined;

  /** @throws {L1Error} when the key is invalid */
  constructor(options: L1AccountOptions) {
    const { url, key, limits, timer, signal } = options;
    const address = endpointOf(url, [key]);
    this.#options = options;
    this.#account = accountOf(key);
    this.#channel = new RpcChannel({ address, limits, timer, signal });
  }

  get address(): Hex {
    return this.#account.address;
  }

  /** Endpoint name without anything that may be a key. */
  get endpoint(): string {
    return this.#channel.name;
  }

  /** Chain id of L1, part of every signature; requested once. */
  async chainId(): Promise<number> {
    return (this.#chainId ??= count(await this.#ask("eth_chainId", []), "the chain id"));
  }

  async hasCode(address: Hex): Promise<boolean> {
    const code = await this.#ask("eth_getCode", [address, "latest"]);
    return data(code, "the code of a contract") !== "0x";
  }

  async storage(address: Hex, slot: Hex): Promise<bigint> {
    const word = await this.#ask("eth_getStorageAt", [address, slot, "latest"]);
    return quantity(word, "a word of storage");
  }

  /** Returns the output of a call on the newest state. */
  async call(to: Hex, input: Hex): Promise<Hex> {
    const output = await this.#ask("eth_call", [{ to, data: input }, "latest"]);
    return data(output, "what a call gives");
  }

  /**
   * Sends a transaction and waits until it is included in a block.
   *
   * @param what - name of the transaction in errors
   * @throws {L1Error} when a simulation fails, which costs nothing; when it reverts; when it is not included
   *   in time
   */
  async send(to: Hex, input: Hex, what: string): Promise<void> {
    const nonce = await this.freeNonce();
    const hash = await this.submit({ to, input, nonce }, what);
    await this.succeeded(hash, what, this.#endMs());
  }

  /**
   * Sends a transaction without waiting for its inclusion.
   *
   * @param what - name of the transaction in errors
   * @returns its hash
   * @throws {L1Error} when a simulation fails, or the endpoint rejects it
   */
  async submit({ to, input, nonce }: L1Sending, what: string): Promise<Hex> {
    const { address: from } = this.#account;
    const place = to === undefined ? {} : { to };
    const gas = await this.#gas({ from, ...place, data: input }, what);
    const serialized = await this.#account.signTransaction({
      type: "eip1559",
      chainId: await this.chainId(),
      nonce,
      ...place,
      data: input,
      gas,
      ...(await this.#fees()),
    });
    await this.#ask("eth_sendRawTransaction", [serialized]);
    // The hash reported by the endpoint is not trusted.
    return keccak256(serialized);
  }

  /**
   * Waits until a transaction is included in a block.
   *
   * @param endMs - deadline on the timer's clock
   * @throws {L1Error} when it reverted, or is not included by the deadline
   */
  async succeeded(hash: Hex, what: string, endMs: number): Promise<void> {
    const receipt = await this.#until(endMs, () => this.#receipt(hash));
    if (receipt === undefined) throw this.#late(`${what} (transaction ${hash}) is in no block`);
    if (receipt.isSuccess) return;
    throw new L1Error("L1_FAILED", `${what} failed on L1 in transaction ${hash}`, false);
  }

  /** Address of a contract that a transaction with this nonce deploys. */
  deployedAt(nonce: number): Hex {
    return getContractAddress({ from: this.#account.address, nonce: BigInt(nonce) });
  }

  /**
   * Returns the next nonce, once no transaction of the account is pending.
   *
   * @throws {L1Error} when one stays pending for too long
   */
  async freeNonce(): Promise<number> {
    const { address } = this.#account;
    const counted = async (tag: "latest" | "pending"): Promise<number> =>
      count(await this.#ask("eth_getTransactionCount", [address, tag]), "a nonce");
    const nonce = await this.#until(this.#endMs(), async () => {
      const [latest, pending] = await Promise.all([counted("latest"), counted("pending")]);
      return pending <= latest ? latest : undefined;
    });
    if (nonce !== undefined) return nonce;
    throw this.#late(`an earlier transaction of ${address} is in no block`);
  }

  async #gas(transaction: Readonly<Record<string, string>>, what: string): Promise<bigint> {
    let estimated: bigint;
    try {
      estimated = quantity(await this.#ask("eth_estimateGas", [transaction]), "an estimate of gas");
    } catch (cause) {
      if (!(cause instanceof EndpointFault) || cause.kind !== "refused") throw cause;
      throw new L1Error("L1_REFUSED", `${what} would fail: ${cause.message}`, false, { cause });
    }
    const gas = estimated + (estimated * GAS_MARGIN_PERCENT) / 100n;
    if (estimated <= MAX_GAS) return gas < MAX_GAS ? gas : MAX_GAS;
    throw new L1Error(
      "L1_TOO_LARGE",
      `${what} needs ${estimated} gas, more than the limit of a transaction (${MAX_GAS})`,
      false,
    );
  }

  async #fees(): Promise<Readonly<Record<"maxFeePerGas" | "maxPriorityFeePerGas", bigint>>> {
    const [block, tip] = await Promise.all([
      this.#ask("eth_getBlockByNumber", ["latest", false]),
      this.#ask("eth_maxPriorityFeePerGas", []),
    ]);
    const baseFee = quantity(members(block, "a block")["baseFeePerGas"], "baseFeePerGas");
    const maxPriorityFeePerGas = quantity(tip, "maxPriorityFeePerGas");
    // Sufficient while the base fee rises for six blocks.
    const maxFeePerGas = 2n * baseFee + maxPriorityFeePerGas;
    if (maxFeePerGas <= MAX_FEE_PER_GAS) return { maxFeePerGas, maxPriorityFeePerGas };
    throw new L1Error(
      "L1_DEAR",
      `${this.endpoint} proposes ${maxFeePerGas} wei per gas, more than the maximum (${MAX_FEE_PER_GAS})`,
      true,
    );
  }

  async #receipt(hash: Hex): Promise<{ readonly isSuccess: boolean } | undefined> {
    const receipt = await this.#ask("eth_getTransactionReceipt", [hash]);
    if (receipt === null) return undefined;
    const status = quantity(members(receipt, "a receipt")["status"], "status of a receipt");
    return { isSuccess: status === 1n };
  }

  #endMs(): number {
    const { timer, transactionMs } = this.#options;
    return timer.nowMs() + transactionMs;
  }

  /** Polls until a value is found. @returns `undefined` at the deadline */
  async #until<T>(endMs: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const { timer, signal } = this.#options;
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_LOOK_MS)) {
      const found = await look();
      if (found !== undefined || timer.nowMs() >= endMs) return found;
      await pause(timer, signal, waitMs);
    }
  }

  #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.#channel.call(method, params, this.#options.limits.maxAnswerBytes);
  }

  #late(what: string): L1Error {
    const seconds = this.#options.transactionMs / 1000;
    return new L1Error("L1_LATE", `${what} of L1 after ${seconds} s: try again later`, true);
  }
}

function accountOf(key: Hex): PrivateKeyAccount {
  try {
    return privateKeyToAccount(key);
  } catch {
    // The original error may contain the key.
    throw new L1Error("L1_KEY", "the private key of the L1 account is invalid", false);
  }
}

/** Formats an address of 20 bytes for JSON-RPC. */
export function addressText(address: bigint): Hex {
  return numberToHex(address, { size: 20 });
}
