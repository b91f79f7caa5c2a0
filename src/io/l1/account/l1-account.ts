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

/** Who sends transactions on L1, and over which endpoint. */
export interface L1AccountOptions {
  /** May have credentials or a key in it, which no text shows. */
  readonly url: string;
  /** Private key of secp256k1; no text shows it. */
  readonly key: Hex;
  readonly limits: L1Limits;
  /** How long a transaction may take to be in a block, milliseconds. */
  readonly transactionMs: number;
  readonly timer: Timer;
  /** Ends what is under way; a transaction that was sent stays sent. */
  readonly signal: AbortSignal;
}

/** Between two looks for a transaction, milliseconds: at first and at most. */
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 1_000;

/** Dearest price that is paid, whatever an endpoint proposes, wei per gas: 1000 gwei. */
const MAX_FEE_PER_GAS = 1_000n * 10n ** 9n;

/** Most gas of a transaction, whatever an endpoint estimates. Source: EIP-7825, L1's own bound. */
const MAX_GAS = 1n << 24n;

/** What is added to an estimate, percent. */
const GAS_MARGIN_PERCENT = 20n;

/** A transaction that is to be sent. */
export interface L1Sending {
  /** `undefined`: it deploys a contract. */
  readonly to: Hex | undefined;
  readonly input: Hex;
  readonly nonce: number;
}

/** Sends transactions on L1, one after the other unless told otherwise. */
export class L1Account {
  readonly #options: L1AccountOptions;
  readonly #account: PrivateKeyAccount;
  readonly #channel: RpcChannel;
  #chainId: number | undefined;

  /** @throws {L1Error} when the key is none */
  constructor(options: L1AccountOptions) {
    const { url, key, limits, timer, signal } = options;
    const address = endpointOf(url, [key]);
    this.#options = options;
    this.#account = accountOf(key);
    this.#channel = new RpcChannel({ address, limits, timer, signal });
  }

  /** Of the account. */
  get address(): Hex {
    return this.#account.address;
  }

  /** Of the endpoint, without anything that may be a key. */
  get endpoint(): string {
    return this.#channel.name;
  }

  /** L1's chain id; asked for once, and in every signature. */
  async chainId(): Promise<number> {
    return (this.#chainId ??= count(await this.#ask("eth_chainId", []), "the chain id"));
  }

  async hasCode(address: Hex): Promise<boolean> {
    const code = await this.#ask("eth_getCode", [address, "latest"]);
    return data(code, "the code of a contract") !== "0x";
  }

  /** A word of a contract's storage. */
  async storage(address: Hex, slot: Hex): Promise<bigint> {
    const word = await this.#ask("eth_getStorageAt", [address, slot, "latest"]);
    return quantity(word, "a word of storage");
  }

  /** What a call gives in the newest state. */
  async call(to: Hex, input: Hex): Promise<Hex> {
    const output = await this.#ask("eth_call", [{ to, data: input }, "latest"]);
    return data(output, "what a call gives");
  }

  /**
   * Sends a transaction and waits until it is in a block.
   *
   * @param what - names it in errors
   * @throws {L1Error} when it would fail, which costs nothing; when it failed; when it is in no block in time
   */
  async send(to: Hex, input: Hex, what: string): Promise<void> {
    const nonce = await this.freeNonce();
    const hash = await this.submit({ to, input, nonce }, what);
    await this.succeeded(hash, what, this.#endMs());
  }

  /**
   * Sends a transaction, which may still be in no block then.
   *
   * @param what - names it in errors
   * @returns its hash
   * @throws {L1Error} when it would fail, or is not taken
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
    // What the endpoint calls it does not matter.
    return keccak256(serialized);
  }

  /**
   * Waits until a transaction is in a block.
   *
   * @param endMs - by the timer
   * @throws {L1Error} when it failed there, or is in none by then
   */
  async succeeded(hash: Hex, what: string, endMs: number): Promise<void> {
    const receipt = await this.#until(endMs, () => this.#receipt(hash));
    if (receipt === undefined) throw this.#late(`${what} (transaction ${hash}) is in no block`);
    if (receipt.isSuccess) return;
    throw new L1Error("L1_FAILED", `${what} failed on L1 in transaction ${hash}`, false);
  }

  /** Where a transaction of that nonce deploys a contract. */
  deployedAt(nonce: number): Hex {
    return getContractAddress({ from: this.#account.address, nonce: BigInt(nonce) });
  }

  /**
   * The next nonce, once none of the account's transactions waits.
   *
   * @throws {L1Error} when one waits too long
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
      `${what} needs ${estimated} gas, more than a transaction may have (${MAX_GAS})`,
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
    // It stays enough while the base fee grows over six blocks.
    const maxFeePerGas = 2n * baseFee + maxPriorityFeePerGas;
    if (maxFeePerGas <= MAX_FEE_PER_GAS) return { maxFeePerGas, maxPriorityFeePerGas };
    throw new L1Error(
      "L1_DEAR",
      `${this.endpoint} proposes ${maxFeePerGas} wei per gas, more than is paid (${MAX_FEE_PER_GAS})`,
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

  /** @returns `undefined`: nothing was found by then */
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
    // What is thrown may name the key.
    throw new L1Error("L1_KEY", "the private key of an account on L1 is none", false);
  }
}

/** An address of 20 bytes as JSON-RPC has it. */
export function addressText(address: bigint): Hex {
  return numberToHex(address, { size: 20 });
}
