import { expect } from "bun:test";
import { rawCall, type RunningChain } from "./binary.ts";
import { rpcBody } from "./raw-http.ts";

const TXN_HASH_NOT_FOUND = 29;
/** Below the default of `--rpc-max-batch`. */
const BATCH = 50;

interface Status {
  readonly finality_status?: string;
  readonly execution_status?: string;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data?: unknown };
}

interface Block {
  readonly block_hash: string;
  readonly parent_hash: string;
  readonly transactions: readonly {
    readonly transaction_hash: string;
    readonly sender_address?: string;
    readonly type: string;
    readonly nonce: string;
  }[];
}

/**
 * Which outcomes of one transaction are acceptable: it may be rejected, revert, or be unknown after
 * a kill.
 */
export interface Expectation {
  /** Whether the executor may reject it; then its reason is stored. */
  readonly mayBeRejected?: boolean;
  /** Whether it may revert; it is accepted in any case. */
  readonly mayRevert?: boolean;
  /** Whether only the node that received it has it: while that is dead, others do not know it. */
  readonly mayBeUnknown?: boolean;
}

/**
 * Records what a chain reported to its clients, and verifies that after each kill: accepted blocks
 * do not change, received transactions are known or have a reason, and every account's nonces are
 * consecutive.
 */
export class KillLedger {
  /** Hashes of accepted blocks by number, from clients and from the walk. */
  readonly #blocks = new Map<number, string>();
  readonly #received = new Map<string, Expectation>();
  /** Received transactions that are not in an accepted block yet. */
  readonly #open = new Set<string>();
  readonly #rejected = new Map<string, string>();
  readonly #included = new Set<string>();
  /** Next nonce of each account in accepted blocks, deployments included. */
  readonly #nonces = new Map<string, number>();
  #walked = 0;

  /** Number of received and rejected transactions, and of blocks. */
  get counts(): { received: number; rejected: number; blocks: number } {
    return {
      received: this.#received.size,
      rejected: this.#rejected.size,
      blocks: this.#blocks.size,
    };
  }

  /** Records that the chain acknowledged this transaction. */
  received(hash: string, expectation: Expectation = {}): void {
    if (this.#received.has(hash)) return;
    this.#received.set(hash, expectation);
    if (!this.#included.has(hash)) this.#open.add(hash);
  }

  /** Records that the chain reported this block as accepted. */
  accepted(number: number, hash: string): void {
    this.#blocks.set(number, hash);
  }

  /** Compares all records with the current responses of the chain. */
  async verify(chain: RunningChain): Promise<void> {
    await this.#verifyBlocks(chain);
    await this.#walk(chain);
    const hashes = [...this.#open, ...this.#rejected.keys()];
    const answers = await batched(chain, "getTransactionStatus", hashes);
    for (const [i, hash] of hashes.entries()) this.#verifyStatus(hash, answers[i] ?? {});
  }

  /** Waits until no transaction is open, and checks all outcomes. */
  async verifyEnd(chain: RunningChain, timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      await this.verify(chain);
      if (this.#open.size === 0 || Date.now() > deadline) break;
      await Bun.sleep(200);
    }
    expect([...this.#open]).toEqual([]);
    const ended = [...this.#received].filter(([hash]) => !this.#rejected.has(hash));
    const hashes = ended.map(([hash]) => hash);
    const answers = await batched(chain, "getTransactionStatus", hashes);
    for (const [i, [hash, { mayRevert = false }]] of ended.entries()) {
      const { finality_status, execution_status } = (answers[i]?.result ?? {}) as Status;
      expect([hash, finality_status]).toEqual([hash, "ACCEPTED_ON_L2"]);
      if (!mayRevert) expect([hash, execution_status]).toEqual([hash, "SUCCEEDED"]);
    }
  }

  async #verifyBlocks(chain: RunningChain): Promise<void> {
    const numbers = [...this.#blocks.keys()];
    const ids = numbers.map((number) => ({ block_number: number }));
    const answers = await batched(chain, "getBlockWithTxHashes", ids);
    for (const [i, number] of numbers.entries()) {
      const { block_hash } = (answers[i]?.result ?? {}) as Partial<Block>;
      expect([number, block_hash]).toEqual([number, this.#blocks.get(number)]);
    }
  }

  /** Visits new blocks. */
  async #walk(chain: RunningChain): Promise<void> {
    const head = (await rawCall(chain.url, "starknet_blockNumber")).result as number;
    const numbers = Array.from({ length: head + 1 - this.#walked }, (_, i) => this.#walked + i);
    const ids = numbers.map((number) => ({ block_number: number }));
    const answers = await batched(chain, "getBlockWithTxs", ids);
    for (const [i, number] of numbers.entries()) {
      const block = answers[i]?.result as Block;
      if (number > 0) expect(block.parent_hash).toBe(this.#blocks.get(number - 1) ?? "no parent");
      this.#blocks.set(number, block.block_hash);
      for (const transaction of block.transactions) this.#include(number, transaction);
    }
    this.#walked = head + 1;
  }

  #include(block: number, transaction: Block["transactions"][number]): void {
    const { transaction_hash: hash, sender_address: sender, nonce } = transaction;
    expect([hash, this.#included.has(hash)]).toEqual([hash, false]);
    expect([hash, this.#rejected.get(hash)]).toEqual([hash, undefined]);
    this.#included.add(hash);
    this.#open.delete(hash);
    // A deployment's address is only in its receipt; the account's own nonces start at 1.
    if (sender === undefined || block === 0) return;
    const expected = this.#nonces.get(sender) ?? Math.min(Number(nonce), 1);
    expect([sender, Number(nonce)]).toEqual([sender, expected]);
    this.#nonces.set(sender, expected + 1);
  }

  #verifyStatus(hash: string, { result, error }: Answer): void {
    const earlier = this.#rejected.get(hash);
    const { finality_status: finality } = (result ?? {}) as Status;
    const isKnown = ["RECEIVED", "CANDIDATE", "PRE_CONFIRMED", "ACCEPTED_ON_L2"].includes(
      finality ?? "",
    );
    if (earlier === undefined && isKnown) return;
    const reason = String(error?.data);
    const { mayBeRejected = false, mayBeUnknown = false } = this.#received.get(hash) ?? {};
    if (mayBeUnknown && error?.code === TXN_HASH_NOT_FOUND && error.data === undefined) return;
    expect([hash, mayBeRejected, error?.code, reason]).toEqual([
      hash,
      true,
      TXN_HASH_NOT_FOUND,
      earlier ?? expect.stringContaining("rejected: "),
    ]);
    this.#rejected.set(hash, reason);
    this.#open.delete(hash);
  }
}

/** Responses to one method for many parameters, in order. */
async function batched(
  chain: RunningChain,
  method: string,
  parameters: readonly unknown[],
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < parameters.length; start += BATCH) {
    const part = parameters.slice(start, start + BATCH);
    const body = `[${part.map((each, i) => rpcBody(i, method, [each])).join(",")}]`;
    const response = await fetch(chain.url, { method: "POST", body });
    const replies = (await response.json()) as (Answer & { readonly id: number })[];
    for (const reply of replies) answers[start + reply.id] = reply;
  }
  return answers;
}
