import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall, type RunningChain } from "./binary.ts";
import { signedTransfer, type SignedTransfer } from "./load.ts";
import { STRK } from "./tokens.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";

/** Measurements of the honest clients of {@link HonestLoad} during an attack. */
export interface HonestReport {
  /** Longest milliseconds by kind of request. */
  readonly slowestMs: Readonly<Record<string, number>>;
  /** Number of responses by kind of request. */
  readonly answers: Readonly<Record<string, number>>;
  /** Errors that an honest client must not get. */
  readonly errors: readonly string[];
  /** Hashes of the received transfers. */
  readonly received: readonly string[];
}

/** Options of {@link HonestLoad}. */
export interface HonestOptions {
  readonly chainId: string;
  readonly transfersPerSecond: number;
  /** Number of the chain's accounts that send, from the first; default: all. */
  readonly accounts?: number;
}

const PROBE_PAUSE_MS = 50;

/**
 * Clients like those of any chain: transfers at a steady rate, and readers that poll. Each
 * request's time is measured on the client side.
 */
export class HonestLoad {
  readonly #chain: RunningChain;
  readonly #options: HonestOptions;
  readonly #slowestMs = new Map<string, number>();
  readonly #answers = new Map<string, number>();
  readonly #errors: string[] = [];
  readonly #received: string[] = [];
  #running = true;
  #done: Promise<unknown> = Promise.resolve();

  constructor(chain: RunningChain, options: HonestOptions) {
    this.#chain = chain;
    this.#options = options;
  }

  start(): void {
    const account = this.#chain.accounts[0]?.address;
    const call = {
      contract_address: STRK,
      entry_point_selector: hexFromFelt(selectorFromName("balance_of")),
      calldata: [account],
    };
    const transaction = this.#transfer(0, 0n);
    this.#done = Promise.all([
      this.#send(),
      this.#probe("blockNumber", []),
      this.#probe("getNonce", ["latest", account]),
      this.#probe("call", [call, "latest"]),
      this.#probe("getTransactionStatus", [hexFromFelt(transaction.hash)]),
    ]);
  }

  /** Resets the measured times. */
  reset(): void {
    this.#slowestMs.clear();
  }

  report(): HonestReport {
    return {
      slowestMs: Object.fromEntries(this.#slowestMs),
      answers: Object.fromEntries(this.#answers),
      errors: this.#errors,
      received: this.#received,
    };
  }

  async stop(): Promise<HonestReport> {
    this.#running = false;
    await this.#done;
    return this.report();
  }

  #transfer(index: number, nonce: bigint): SignedTransfer {
    const signer = this.#chain.signer(index);
    return signedTransfer(this.#options.chainId, signer, nonce, 0x10_0000n + nonce);
  }

  /** Sends at a steady rate without waiting for responses, as independent clients do. */
  async #send(): Promise<void> {
    const pauseMs = 1000 / this.#options.transfersPerSecond;
    const accounts = this.#options.accounts ?? this.#chain.accounts.length;
    const open = new Set<Promise<void>>();
    const startedMs = performance.now();
    for (let sent = 0; this.#running; sent++) {
      const { hash, body } = this.#transfer(sent % accounts, BigInt(Math.floor(sent / accounts)));
      const request = this.#timed("addInvokeTransaction", async () => {
        const answer = await post(this.#chain.url, body);
        if (answer.error === undefined) this.#received.push(hexFromFelt(hash));
        else this.#errors.push(`transfer: ${JSON.stringify(answer.error)}`);
      });
      open.add(request);
      void request.finally(() => open.delete(request));
      await Bun.sleep(Math.max(0, startedMs + (sent + 1) * pauseMs - performance.now()));
    }
    await Promise.all(open);
  }

  async #probe(method: string, params: readonly unknown[]): Promise<void> {
    while (this.#running) {
      await this.#timed(method, async () => {
        const { error } = await rawCall(this.#chain.url, `starknet_${method}`, params);
        // The first transfer may not have been sent yet.
        if (error !== undefined && error.code !== 29) {
          this.#errors.push(`${method}: ${JSON.stringify(error)}`);
        }
      });
      await Bun.sleep(PROBE_PAUSE_MS);
    }
  }

  async #timed(kind: string, request: () => Promise<void>): Promise<void> {
    const startedMs = performance.now();
    try {
      await request();
    } catch (error) {
      if (this.#running) this.#errors.push(`${kind}: ${String(error)}`);
    }
    const tookMs = performance.now() - startedMs;
    this.#answers.set(kind, (this.#answers.get(kind) ?? 0) + 1);
    this.#slowestMs.set(kind, Math.max(this.#slowestMs.get(kind) ?? 0, tookMs));
  }
}

async function post(url: string, body: string): Promise<{ readonly error?: unknown }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return (await response.json()) as { readonly error?: unknown };
}
