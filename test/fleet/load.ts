import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type Signer, signedTransfer } from "#test/helpers/load.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const RECIPIENT = 0xf1ee7n;

/** JSON-RPC errors that describe a state and no failure. */
const NOT_FOUND = 29;
const DUPLICATE = 59;

/** Pause between two polls for a receipt. */
const POLL_MS = 2_000;
/** Pause between two polls of the newest block. */
const WATCH_MS = 20;

/** Observations of a fleet's clients. */
export interface Seen {
  sent: number;
  /** Sends rejected as duplicates because the balancer had retried them. */
  duplicates: number;
  received: number;
  accepted: number;
  /** Unexpected responses, each with its request. */
  readonly errors: string[];
  /** Number of accepted transactions that were later unknown. */
  unknown: number;
  /** Largest decrease of the newest block number. */
  backwards: number;
  /** Longest time of one request in milliseconds. */
  slowestMs: number;
  /** Longest time from a send to its block. */
  slowestReceiptMs: number;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/**
 * Clients that send transfers through one address, wait for their blocks there, and watch the
 * newest block.
 */
export class FleetLoad {
  readonly seen: Seen = {
    sent: 0,
    duplicates: 0,
    received: 0,
    accepted: 0,
    errors: [],
    unknown: 0,
    backwards: 0,
    slowestMs: 0,
    slowestReceiptMs: 0,
  };
  readonly #url: string;
  readonly #nonces: bigint[];
  readonly #signers: readonly Signer[];
  readonly #waiting = new Set<Promise<void>>();
  #isOn = false;
  #ends: Promise<void>[] = [];

  /** @param nonces - next nonce of each account */
  constructor(url: string, signers: readonly Signer[], nonces: readonly bigint[]) {
    this.#url = url;
    this.#signers = signers;
    this.#nonces = [...nonces];
  }

  /** Starts to send transfers at a rate, each account sequentially. */
  begin(transfersPerSecond: number): void {
    this.#isOn = true;
    const everyMs = (1_000 * this.#signers.length) / transfersPerSecond;
    this.#ends = [...this.#signers.map((_, index) => this.#account(index, everyMs)), this.#watch()];
  }

  /** Stops sending, and waits until everything received is in a block. */
  async end(): Promise<void> {
    this.#isOn = false;
    await Promise.all(this.#ends);
    await Promise.all(this.#waiting);
  }

  async #account(index: number, everyMs: number): Promise<void> {
    // Spreads the accounts over the interval.
    await Bun.sleep((everyMs * index) / this.#signers.length);
    let nextMs = performance.now();
    while (this.#isOn) {
      await this.#send(index);
      nextMs = Math.max(nextMs + everyMs, performance.now() - everyMs);
      await Bun.sleep(Math.max(0, nextMs - performance.now()));
    }
  }

  async #send(index: number): Promise<void> {
    const signer = this.#signers[index];
    const nonce = this.#nonces[index] ?? 0n;
    if (signer === undefined) return;
    const { hash, body } = signedTransfer(CHAIN_ID, signer, nonce, RECIPIENT);
    this.seen.sent++;
    const startedMs = performance.now();
    const { error } = await this.#post("addInvokeTransaction", body);
    if (error?.code === DUPLICATE) this.seen.duplicates++;
    else if (error !== undefined) return;
    this.seen.received++;
    this.#nonces[index] = nonce + 1n;
    const isKnown = error === undefined;
    const waiting = this.#wait(hash, startedMs, isKnown).finally(() =>
      this.#waiting.delete(waiting),
    );
    this.#waiting.add(waiting);
  }

  /**
   * Waits for the block of a transaction as wallets do.
   *
   * @param isKnown - whether it was acknowledged; the first of two sends may still be in validation
   */
  async #wait(hash: Felt, startedMs: number, isKnown: boolean): Promise<void> {
    for (let wasKnown = isKnown; ;) {
      const { result } = await this.#ask("getTransactionStatus", [hexFromFelt(hash)], [NOT_FOUND]);
      const status = (result as { finality_status?: string } | undefined)?.finality_status;
      if (status === "ACCEPTED_ON_L2") break;
      if (status !== undefined) wasKnown = true;
      else if (wasKnown) this.seen.unknown++;
      await Bun.sleep(POLL_MS);
    }
    this.seen.accepted++;
    const tookMs = performance.now() - startedMs;
    this.seen.slowestReceiptMs = Math.max(this.seen.slowestReceiptMs, tookMs);
  }

  async #watch(): Promise<void> {
    let highest = -1;
    while (this.#isOn) {
      const { result } = await this.#ask("blockNumber", []);
      if (typeof result === "number") {
        this.seen.backwards = Math.max(this.seen.backwards, highest - result);
        highest = Math.max(highest, result);
      }
      await Bun.sleep(WATCH_MS);
    }
  }

  #ask(method: string, params: unknown, allowed: readonly number[] = []): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params });
    return this.#post(method, body, allowed);
  }

  async #post(method: string, body: string, allowed: readonly number[] = []): Promise<Answer> {
    const startedMs = performance.now();
    const answer = await this.#answerOf(body);
    const tookMs = performance.now() - startedMs;
    this.seen.slowestMs = Math.max(this.seen.slowestMs, tookMs);
    const { error } = answer;
    const isRight = error === undefined || error.code === DUPLICATE || allowed.includes(error.code);
    if (!isRight) this.seen.errors.push(`${method}: ${JSON.stringify(error)}`);
    return answer;
  }

  async #answerOf(body: string): Promise<Answer> {
    try {
      const headers = { "content-type": "application/json" };
      const response = await fetch(this.#url, { method: "POST", headers, body });
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as Answer;
      return { error: { code: response.status, message: text.slice(0, 200) } };
    } catch (error) {
      return { error: { code: 0, message: String(error) } };
    }
  }
}
