import type { L1BlockId } from "#io/l1/index.ts";
import type { AskReports, L1StateUpdate } from "./state-ports.ts";
import { type OwnHeader, type Verdict, verdictOn } from "./state-vote.ts";

/**
 * L1 blocks at which endpoints are queried about a mismatch: the newest at the configured finality,
 * and the newest of all.
 */
export interface CountedL1 {
  readonly block: L1BlockId;
  readonly head: L1BlockId;
}

/** Maximum refuted updates to keep; the oldest is evicted. */
const MAX_REFUTED = 1024;

/**
 * Verifies that L1 really has an update that differs from the chain, before production stops: more than half
 * of the endpoints must confirm it. A single endpoint must confirm it twice, the second time once everything
 * that L1 had at the first time is final.
 */
export class MismatchInquiry {
  readonly #own: OwnHeader;
  readonly #refuted = new Set<string>();
  #counted: CountedL1 | undefined;
  #suspect = "";
  /** Final L1 block at the last request about the suspect; `undefined` before the first. */
  #askedAt: number | undefined;
  /** Block that must be final before a single endpoint is believed; `undefined` until its first report. */
  #secondAt: number | undefined;

  constructor(own: OwnHeader) {
    this.#own = own;
  }

  /** Records that L1 was read up to here. */
  counted(counted: CountedL1): void {
    this.#counted = counted;
  }

  isRefuted(update: L1StateUpdate): boolean {
    return this.#refuted.has(keyOf(update));
  }

  /**
   * Queries the endpoints about a differing update, at most once per final L1 block.
   *
   * @returns `undefined` when L1 has no new final block, or is not read to its newest one
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
