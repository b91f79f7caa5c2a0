import type { Rejected, RejectedTransaction, RefusedBlock } from "#api/explorer/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ReportedRejection } from "#services/admission/index.ts";
import type { SubmitRefusal, SyncRefusal } from "#services/sync/index.ts";

/** Most transactions that are kept. */
export const MAX_REJECTED = 100;

/** Most refused blocks that are kept. */
export const MAX_REFUSED_BLOCKS = 20;

/** Longest reason that is kept, in characters; a validation may fail with a stack of megabytes. */
export const MAX_REASON_LENGTH = 4_000;

/** A submission that was refused. */
export interface RefusedSubmission {
  readonly sender: Felt;
  /** Computes the transaction's hash, when a client reads it; `null` if it is too costly. */
  readonly hash: (() => Felt) | null;
}

/** An entry whose hash is computed when it is read. */
interface Entry extends Omit<RejectedTransaction, "hash"> {
  hash: Felt | null;
  computeHash: (() => Felt) | null;
}

/**
 * The newest transactions that the node rejected, and blocks that it refused, since its start. They are kept in
 * memory: the mempool's store has the reasons of received transactions for longer, but no list of them.
 */
export class Rejections {
  readonly #nowMs: () => number;
  readonly #transactions: Entry[] = [];
  readonly #blocks: RefusedBlock[] = [];

  /** @param nowMs - Unix milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Notes a submission that was refused. One that may be repeated as it is counts for nothing. */
  refused({ sender, hash }: RefusedSubmission, { code, reason, retryAfterSeconds }: SubmitRefusal) {
    if (retryAfterSeconds !== undefined) return;
    this.#add({ hash: null, computeHash: hash, sender, code, reason, wasReceived: false });
  }

  /** Notes transactions that had been received. */
  rejected(rejections: readonly ReportedRejection[]): void {
    // A flush of the mempool may report more than are kept.
    for (const { hash, sender, code, reason } of rejections.slice(-MAX_REJECTED)) {
      const known = sender === 0n ? null : sender;
      this.#add({ hash, computeHash: null, sender: known, code, reason, wasReceived: true });
    }
  }

  /** Notes a block that was refused; `null`, that blocks are accepted again, changes nothing. */
  refusedBlock(refusal: SyncRefusal | null, source: string): void {
    if (refusal === null) return;
    const { check, blockNumber, blockHash = null, message } = refusal;
    const reason = shortened(message);
    const isSame = (block: RefusedBlock): boolean =>
      block.check === check && block.blockNumber === blockNumber && block.reason === reason;
    const at = this.#blocks.findIndex(isSame);
    const [earlier] = at === -1 ? [] : this.#blocks.splice(at, 1);
    const count = (earlier?.count ?? 0) + 1;
    const unixMs = this.#nowMs();
    this.#blocks.unshift({ blockNumber, blockHash, check, reason, source, count, unixMs });
    if (this.#blocks.length > MAX_REFUSED_BLOCKS) this.#blocks.pop();
  }

  /** The refused blocks, newest first. */
  refusedBlocks(): readonly RefusedBlock[] {
    return [...this.#blocks];
  }

  /** Lists what is kept, newest first. */
  list(): Rejected {
    return { transactions: this.#transactions.map(withHash), blocks: this.refusedBlocks() };
  }

  #add(entry: Omit<Entry, "unixMs">): void {
    const reason = shortened(entry.reason);
    this.#transactions.unshift({ ...entry, reason, unixMs: this.#nowMs() });
    if (this.#transactions.length > MAX_REJECTED) this.#transactions.pop();
  }
}

function withHash(entry: Entry): RejectedTransaction {
  const { computeHash, ...rejected } = entry;
  if (computeHash === null) return rejected;
  entry.hash = computeHash();
  entry.computeHash = null;
  return { ...rejected, hash: entry.hash };
}

/** Returns the beginning of a text, copied: a slice would keep all of it in memory. */
function shortened(text: string): string {
  if (text.length <= MAX_REASON_LENGTH) return text;
  const beginning = Buffer.from(text.slice(0, MAX_REASON_LENGTH), "utf16le");
  return `${beginning.toString("utf16le")}…`;
}
