import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { MempoolStore } from "#io/storage/index.ts";
import type { Refusal } from "./admission-rules.ts";
import { areFree, type FreeRules, MAX_BOOTSTRAP_DECLARES, NOT_FREE } from "./free-transactions.ts";
import type { Mempool, MempoolEntry } from "./mempool/index.ts";
import { type Departure, departureOf } from "./rejection-reasons.ts";

/** Maximum transactions dropped per call, so that other work gets its turn in between. */
export const SWEEP_STEP = 1_000;

/** Dependencies of {@link FreeTransactionGate}. */
export interface FreeTransactionGateDeps {
  /** `null` on a chain that charges no fees: every transaction is permanently free. */
  readonly rules: FreeRules | null;
  /** Number of bootstrap declarations that the chain has at startup. */
  readonly bootstrapDeclares: number;
  readonly pool: Mempool;
  readonly store: Pick<MempoolStore, "write">;
  /** Current state of execution. */
  readonly state: () => Pick<StateReader, "classHashAt">;
  /** Whether a transaction was received durably. */
  readonly isDurable: (hash: Felt) => boolean;
  readonly onDropped: (departures: readonly Departure[]) => void;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Policy for free transactions in admission: accepted while nobody can pay, dropped with a reason once the
 * native fee token has a contract.
 */
export class FreeTransactionGate {
  readonly #deps: FreeTransactionGateDeps;
  #bootstrapDeclares: number;
  /** No free transaction is waiting, and none will be accepted. */
  #isSwept = false;

  constructor(deps: FreeTransactionGateDeps) {
    this.#deps = deps;
    this.#bootstrapDeclares = deps.bootstrapDeclares;
  }

  /** Whether a transaction may be forwarded; a free one only while it would be accepted. */
  mayExecute({ isFree: isEntryFree }: MempoolEntry): boolean {
    return isEntryFree !== true || this.#areFree();
  }

  /** Refusal of a free transaction under the current rules; `undefined` for all others. */
  refusalOf({
    isFree: isPaidByNobody,
    isBootstrap,
  }: Pick<MempoolEntry, "isFree" | "isBootstrap">): Refusal | undefined {
    if (this.#deps.rules === null || isPaidByNobody !== true) return undefined;
    if (!this.#areFree()) return refused(NOT_FREE);
    if (isBootstrap !== true) return undefined;
    if (this.#bootstrapDeclares < MAX_BOOTSTRAP_DECLARES) return undefined;
    return refused(
      `the chain already has ${MAX_BOOTSTRAP_DECLARES} unsigned bootstrap declarations, which is the limit: deploy an account to declare more`,
    );
  }

  included({ kind, isBootstrap }: MempoolEntry): void {
    if (kind === "DECLARE" && isBootstrap === true) this.#bootstrapDeclares++;
  }

  /** Schedules another sweep if returned transactions include free ones. */
  returned(hashes: readonly Felt[]): void {
    const { pool } = this.#deps;
    if (hashes.some((hash) => pool.find(hash)?.isFree === true)) this.#isSwept = false;
  }

  /**
   * Drops waiting free transactions once they may no longer be free, {@link SWEEP_STEP} per call. Must be
   * called whenever the state or the mempool has changed.
   *
   * @returns the number of transactions dropped
   */
  sweep(): number {
    if (this.#isSwept || this.#areFree()) return 0;
    const { pool, store, isDurable, onDropped, nowMs } = this.#deps;
    const dropped: Departure[] = [];
    let isSwept = true;
    for (const entry of [...pool.waiting()].filter((each) => each.isFree === true)) {
      if (dropped.length >= SWEEP_STEP || !isDurable(entry.hash)) isSwept = false;
      else if (pool.drop(entry.hash) !== undefined) {
        dropped.push(departureOf(entry, "evicted", NOT_FREE, nowMs(), "NOT_FREE"));
      }
    }
    this.#isSwept = isSwept;
    if (dropped.length === 0) return 0;
    store.write({ reject: dropped });
    onDropped(dropped);
    return dropped.length;
  }

  #areFree(): boolean {
    const { rules, state } = this.#deps;
    return rules === null || areFree(rules, state());
  }
}

function refused(reason: string): Refusal {
  return { kind: "rejected", code: "INSUFFICIENT_RESOURCES_FOR_VALIDATE", reason };
}
