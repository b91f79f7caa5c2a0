import type { L1BlockId } from "#io/l1/index.ts";
import type { AskReports, L1StateUpdate } from "./state-ports.ts";
import { type OwnHeader, type Verdict, verdictOn } from "./state-vote.ts";

/** Where L1 is: the newest block that counts, and the newest of all. */
export interface CountedL1 {
  readonly block: L1BlockId;
  readonly head: L1BlockId;
}

/** Maximum refuted updates to remember; the oldest is forgotten for another one. */
const MAX_REFUTED = 1024;

/**
 * Finds out whether L1 really has an update that differs from the chain, before production stops: more
 * than half of the endpoints must have it. A single endpoint must have it twice, the second time when all
 * that L1 had at the first time counts.
 */
export class MismatchInquiry {
  readonly #own: OwnHeader;
  readonly #refuted = new Set<string>();
  #counted: CountedL1 | undefined;
  /** Update in question. */
  #suspect = "";
  /** Counted block at the last question about the suspect; `undefined` before the first. */
  #askedAt: number | undefined;
  /** Block that must count before a single endpoint is believed; `undefined` until its first report. */
  #secondAt: number | undefined;

  constructor(own: OwnHeader) {
    this.#own = own;
  }

  /** L1 is read up to here. */
  counted(counted: CountedL1): void {
    this.#counted = counted;
  }

  /** Whether the endpoints have refuted this update. */
  isRefuted(update: L1StateUpdate): boolean {
    return this.#refuted.has(keyOf(update));
  }

  /**
   * Asks about an update that differs, at most once for each block of L1 that counts.
   *
   * @returns `undefined` when L1 has nothing new to ask about, or is not read to its newest block
   * @throws what `ask` throws
   */
  async examine(
    update: L1StateUpdate,
    ask: () => ReturnType<AskReports>,
  ): Promise<Verdict | undefined> {
    this.#suspectIs(update);
    if (this.#counted === undefined) return undefined;
    const { block, head } = this.#counted;
    const mayAsk = this.#askedAt === undefined || block.number > this.#askedAt;
    if (!mayAsk || block.number < (this.#secondAt ?? 0)) return undefined;
    const reports = await ask();
    this.#askedAt = block.number;
    const verdict = verdictOn(update, reports, this.#own);
    if (verdict.kind === "refuted") this.#refute(update);
    if (verdict.kind !== "confirmed" || reports.length > 1 || this.#secondAt !== undefined) {
      return verdict;
    }
    this.#secondAt = Math.max(head.number, block.number + 1);
    const said = `${verdict.said}; it is the only endpoint: asked again at L1 block ${this.#secondAt}`;
    return { kind: "undecided", said };
  }

  #suspectIs(update: L1StateUpdate): void {
    const key = keyOf(update);
    if (this.#suspect === key) return;
    this.#suspect = key;
    this.#askedAt = undefined;
    this.#secondAt = undefined;
  }

  #refute(update: L1StateUpdate): void {
    this.#refuted.add(keyOf(update));
    const [oldest] = this.#refuted;
    if (this.#refuted.size > MAX_REFUTED && oldest !== undefined) this.#refuted.delete(oldest);
  }
}

function keyOf({ l1Block, blockNumber, stateRoot, blockHash }: L1StateUpdate): string {
  return [l1Block.hash, blockNumber, stateRoot, blockHash].join(" ");
}
