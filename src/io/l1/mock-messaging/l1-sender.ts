import {
  BaseError,
  createWalletClient,
  custom,
  defineChain,
  getContractAddress,
  type Hex,
  publicActions,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { pause } from "#io/http/index.ts";
import { L1Error } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import { addressHex } from "../endpoint/rpc-endpoint.ts";
import { EndpointFault, nonsense } from "../endpoint/fault.ts";
import type { RpcChannel } from "../endpoint/rpc-channel.ts";
import { data, members, quantity } from "../endpoint/values.ts";
import type { L1Address } from "../types.ts";

/** What an account sends its transactions with. */
export interface L1SenderOptions {
  readonly channel: RpcChannel;
  readonly chainId: number;
  /** Of the account: `0x` and 64 hex digits. */
  readonly privateKey: Hex;
  /** Longest answer that is read, bytes. */
  readonly maxAnswerBytes: number;
  readonly timer: Timer;
  /** Ends what is waited for. */
  readonly signal: AbortSignal;
}

/** How often a transaction is looked for that is not in a block, milliseconds. */
const LOOK_MS = 50;

/** The slowest: chains with blocks by the clock need not be asked more often. */
const MAX_LOOK_MS = 1_000;

/** An account on L1 that sends transactions of its own. Neither its texts nor its errors have its key. */
export class L1Sender {
  readonly #options: L1SenderOptions;
  readonly #account: PrivateKeyAccount;
  readonly #client;

  /** @throws {L1Error} when the key is none of the curve */
  constructor(options: L1SenderOptions) {
    const { channel, chainId, privateKey, maxAnswerBytes } = options;
    this.#options = options;
    this.#account = accountOf(privateKey);
    const request = ({ method, params }: { method: string; params?: unknown }): Promise<unknown> =>
      channel.call(method, Array.isArray(params) ? params : [], maxAnswerBytes);
    this.#client = createWalletClient({
      account: this.#account,
      chain: defineChain({
        id: chainId,
        name: "L1",
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: { default: { http: [] } },
      }),
      transport: custom({ request }, { retryCount: 0 }),
    }).extend(publicActions);
  }

  /** The nonce of the next transaction, behind those that are in no block yet. */
  nonce(): Promise<number> {
    const { address } = this.#account;
    return this.#try(() => this.#client.getTransactionCount({ address, blockTag: "pending" }));
  }

  /**
   * Sends a transaction; it may still be in no block.
   *
   * @param to - `undefined`: it deploys a contract
   * @returns its hash
   * @throws {L1Error} when it is not taken, or would fail now
   */
  send(to: L1Address | undefined, input: Hex, nonce: number): Promise<Hex> {
    const place = to === undefined ? {} : { to: addressHex(to) };
    return this.#try(() => this.#client.sendTransaction({ ...place, data: input, nonce }));
  }

  /** Where a transaction of that nonce deploys a contract. */
  deployedAt(nonce: number): L1Address {
    return BigInt(getContractAddress({ from: this.#account.address, nonce: BigInt(nonce) }));
  }

  /**
   * Settles when a transaction has succeeded.
   *
   * @param untilMs - by the timer
   * @throws {L1Error} when it has failed, or is in no block by then
   */
  async succeeded(hash: Hex, untilMs: number): Promise<void> {
    const { channel, timer, signal, maxAnswerBytes } = this.#options;
    for (let waitMs = LOOK_MS; ; waitMs = Math.min(waitMs * 2, MAX_LOOK_MS)) {
      const receipt = await channel.call("eth_getTransactionReceipt", [hash], maxAnswerBytes);
      if (receipt !== null) {
        const { status } = members(receipt, "a receipt");
        if (quantity(status, "status of a receipt") === 1n) return;
        const message = `transaction ${data(hash, "a hash")} failed on L1`;
        throw new L1Error("L1_TRANSACTION_FAILED", message, false);
      }
      if (signal.aborted || timer.nowMs() + waitMs > untilMs) {
        const message = `transaction ${hash} is in no block of L1 yet, and on its way`;
        throw new L1Error("L1_TRANSACTION_PENDING", message, true);
      }
      await pause(timer, signal, waitMs);
    }
  }

  async #try<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (cause) {
      throw l1ErrorOf(cause, this.#options.channel.name);
    }
  }
}

function accountOf(privateKey: Hex): PrivateKeyAccount {
  try {
    return privateKeyToAccount(privateKey);
  } catch {
    // What is thrown may name the key.
    throw new L1Error("L1_KEY", "the private key is none: it is 0 or too large", false);
  }
}

/** viem puts what its transport throws into errors of its own, with what was sent. */
function l1ErrorOf(cause: unknown, name: string): L1Error {
  if (cause instanceof L1Error) return cause;
  if (cause instanceof BaseError) {
    const fault = cause.walk((inner) => inner instanceof EndpointFault);
    if (fault instanceof EndpointFault) return fault;
    return new L1Error("L1_REFUSED", `${name}: ${cause.shortMessage}`, true);
  }
  return nonsense(`${name} answers in a form that cannot be read`);
}
