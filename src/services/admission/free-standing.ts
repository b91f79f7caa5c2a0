import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { MempoolStore } from "#io/storage/index.ts";
import type { Refusal } from "./admission-rules.ts";
import { areFree, type FreeRules, MAX_BOOTSTRAP_DECLARES, NOT_FREE } from "./free-transactions.ts";
import type { Mempool, MempoolEntry } from "./mempool/index.ts";
import { type Departure, departureOf } from "./rejection-reasons.ts";

/** Transactions that are dropped in one go: others have their turn in between. */
export const SWEEP_STEP = 1_000;

/** What is done about free transactions works with this. */
export interface FreeStandingDeps {
  /** `null` on a chain that takes no fees: all are free, for ever. */
  readonly rules: FreeRules | null;
  /** How many declarations by nobody the chain has at the start. */
  readonly bootstrapDeclares: number;
  readonly pool: Mempool;
  readonly store: Pick<MempoolStore, "write">;
  /** The state on which execution goes on. */
  readonly state: () => Pick<StateReader, "classHashAt">;
  /** Whether a transaction was received for good. */
  readonly isDurable: (hash: Felt) => boolean;
  readonly onDropped: (departures: readonly Departure[]) => void;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * Free transactions in admission: taken while nobody can pay, dropped with a reason once the native fee
 * token has a contract.
 */
export class FreeStanding {
  readonly #deps: FreeStandingDeps;
  #bootstrapDeclares: number;
  /** Nothing free waits any more, and nothing comes. */
  #isSwept = false;

  constructor(deps: FreeStandingDeps) {
    this.#deps = deps;
    this.#bootstrapDeclares = deps.bootstrapDeclares;
  }

  /** Whether a transaction may be handed on: a free one only while it would be taken. */
  mayGo({ isFree: isEntryFree }: MempoolEntry): boolean {
    return isEntryFree !== true || this.#areFree();
  }

  /** What is against a free transaction now; `undefined` for all others. */
  refusalOf({
    isFree: isPaidByNobody,
    isBootstrap,
  }: Pick<MempoolEntry, "isFree" | "isBootstrap">): Refusal | undefined {
    if (this.#deps.rules === null || isPaidByNobody !== true) return undefined;
    if (!this.#areFree()) return refused(NOT_FREE);
    if (isBootstrap !== true) return undefined;
    if (this.#bootstrapDeclares < MAX_BOOTSTRAP_DECLARES) return undefined;
    return refused(
      `the chain has ${MAX_BOOTSTRAP_DECLARES} declarations by nobody, the most that are taken: deploy an account, which declares more`,
    );
  }

  /** A transaction is in a block. */
  included({ kind, isBootstrap }: MempoolEntry): void {
    if (kind === "DECLARE" && isBootstrap === true) this.#bootstrapDeclares++;
  }

  /** Transactions wait again, and may have to be dropped. */
  returned(hashes: readonly Felt[]): void {
    const { pool } = this.#deps;
    if (hashes.some((hash) => pool.find(hash)?.isFree === true)) this.#isSwept = false;
  }

  /**
   * Drops free transactions that wait once they are free no more, {@link SWEEP_STEP} at a time. To be called
   * whenever something has changed.
   *
   * @returns how many it dropped
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
