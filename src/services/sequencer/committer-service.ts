import { invariant } from "#base/errors/index.ts";
import {
  compareFelts,
  type Felt,
  type Outlet,
  type Port,
  type Timer,
} from "#base/primitives/index.ts";
import { type BlockHeader, bundledClassOf } from "#protocol/chain/index.ts";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import { type TrieHash, visitStateDiff } from "#protocol/trie/index.ts";
import type { DeltaMessage, ExecutionGuard } from "#services/admission/index.ts";
import { completeBlock, type CompletedBlock } from "./complete-block.ts";
import { type AssembledDraft, DraftAssembly } from "./draft-assembly.ts";
import type { AcceptedMessage, GateMessage, SealedMessage } from "./messages.ts";
import { revertedTransactionsOf } from "./reverted-transactions.ts";
import type { Predecessor, PublishGate } from "./publish-gate.ts";
import { WorkQueue } from "./work-queue.ts";

/** Maximum time that a stop waits for drafts that have already arrived. */
export const STOP_COMMIT_MS = 1_500;

/** Ports of the committer. */
export interface CommitterPorts {
  readonly executor: Port<DeltaMessage | SealedMessage, AcceptedMessage>;
  /** Other threads that must learn of accepted blocks before clients do. */
  readonly readers: readonly Outlet<AcceptedMessage>[];
  /** Main thread: announces accepted blocks to clients, and reports the state of the gate. */
  readonly main: Outlet<AcceptedMessage | GateMessage>;
}

/** Dependencies of a {@link CommitterService}. */
export interface CommitterDeps {
  readonly ports: CommitterPorts;
  readonly chain: Pick<
    StoredChainReader,
    "bundleBytes" | "epoch" | "header" | "latestNumber" | "stateAt"
  >;
  readonly writer: Pick<ChainWriter, "commitBlock" | "triePagesRead" | "trieStore">;
  readonly guard: Pick<ExecutionGuard, "runBlock">;
  readonly gate: PublishGate;
  /** Epoch of new blocks; `null` to keep the parent's epoch. */
  readonly epoch: number | null;
  /** Hash of the contracts trie and of storage tries. */
  readonly pedersen: TrieHash;
  readonly signingKey: Felt;
  readonly timer: Timer;
  /** Called when every thread has been notified of a block: for work that clients need not wait for. */
  readonly afterAccepted: () => void;
  /** Called with the reason when a block could not be committed; nothing is committed afterwards. */
  readonly onFailure: (error: unknown) => void;
}

/** Draft together with its seal message. */
interface Sealed {
  readonly message: SealedMessage;
  readonly draft: AssembledDraft;
}

/**
 * Number of trie pages read from the file for one block above which the next block's pages are read ahead.
 */
const MANY_PAGES = 16;

/** Epoch of a chain's first sequencer. */
const FIRST_EPOCH = 0;

/**
 * Turns sealed drafts into accepted blocks, one at a time; the only writer of the chain. A block is committed
 * after the one before is accepted, so at most one stored block is unpublished. The next start submits that
 * block to the gate again.
 */
export class CommitterService {
  readonly #deps: CommitterDeps;
  readonly #assembly = new DraftAssembly();
  readonly #work: WorkQueue<() => Promise<void>>;
  readonly #epoch: number;
  /** Aborted when the committer stops waiting for the gate. */
  readonly #patience = new AbortController();
  /** Whether the gate refused a block, or did not answer before the stop: nothing more is committed. */
  #isBlocked = false;
  #parent: BlockHeader | undefined;
  /** Number of sealed blocks that are not accepted yet. */
  #waiting = 0;
  /** Trie pages read from the file before the block that is being built or committed. */
  #pagesBefore = 0;
  /** Whether the newest block read many pages, so that the next one's are read ahead. */
  #readsAhead = true;

  constructor(deps: CommitterDeps) {
    const { chain, timer, epoch } = deps;
    this.#deps = deps;
    const latest = chain.latestNumber();
    this.#parent = latest === undefined ? undefined : chain.header(latest);
    const before = (latest === undefined ? undefined : chain.epoch(latest)) ?? FIRST_EPOCH;
    this.#epoch = epoch ?? before;
    invariant(this.#epoch >= before, "epochs never fall along the chain");
    this.#work = new WorkQueue(
      (work) => work(),
      () => timer.nowMs(),
    );
  }

  /** Starts to commit once the gate has passed the newest stored block. Called once. */
  start(): void {
    const { ports, onFailure } = this.#deps;
    const newest = this.#parent?.number;
    if (newest !== undefined) {
      this.#work.add(async () => void (await this.#pass(newest))).catch(onFailure);
    }
    ports.executor.listen((message) => {
      if (message.kind === "delta") {
        this.#prepare(message);
        return;
      }
      this.#waiting++;
      const sealed = { message, draft: this.#assembly.seal(message) };
      this.#work.add(() => this.#accept(sealed)).catch(onFailure);
    });
  }

  /**
   * Prepares as much as possible of a block under construction, so that sealing leaves less to do. Trie pages
   * are read ahead only where many are not in memory and no block waits for the thread: otherwise, walking
   * the tries twice would make that block wait longer.
   */
  #prepare(message: DeltaMessage): void {
    const changes = this.#assembly.add(message, this.#readsAhead && this.#waiting === 0);
    if (changes !== undefined) visitStateDiff(this.#deps.writer.trieStore, changes);
  }

  /**
   * Settles when drafts that have arrived are committed, or after {@link STOP_COMMIT_MS}. The remaining
   * drafts were not accepted: their transactions are restored from the durable mempool. A block without an
   * answer of the gate by then stays stored.
   */
  async stop(): Promise<void> {
    const cancel = this.#deps.timer.after(STOP_COMMIT_MS, () => this.#patience.abort());
    await this.#work.stop(STOP_COMMIT_MS);
    cancel();
  }

  async #accept({ message, draft }: Sealed): Promise<void> {
    if (this.#isBlocked) return;
    const { ports, guard, timer } = this.#deps;
    const startedMs = timer.nowMs();
    const { info, transactions } = draft;
    const hashes = transactions.map(({ hash }) => hash);
    const block = guard.runBlock(message.attempt, hashes, () => this.#commit(message, draft));
    if (!(await this.#pass(info.number))) return;
    this.#parent = block.header;
    this.#waiting--;
    const accepted: AcceptedMessage = {
      kind: "accepted",
      blockNumber: info.number,
      blockHash: block.header.hash,
      transactionCount: transactions.length,
      eventCount: block.header.eventCount,
      revertedTransactions: revertedTransactionsOf(transactions, block.receipts),
      productionSeconds: message.productionSeconds,
      commitSeconds: (timer.nowMs() - startedMs) / 1000,
    };
    // The main thread comes last: every other thread has the block before clients learn of it.
    for (const listener of [ports.executor, ...ports.readers, ports.main]) listener.send(accepted);
    this.#deps.afterAccepted();
  }

  /**
   * Submits a stored block to the gate, and reports to the main thread why it takes long.
   *
   * @returns whether the gate passed the block
   */
  async #pass(blockNumber: number): Promise<boolean> {
    const { ports, chain, gate } = this.#deps;
    let isWaiting = false;
    const answer = await gate({
      blockNumber,
      predecessor: this.#before(blockNumber),
      bundle() {
        const bytes = chain.bundleBytes(blockNumber);
        invariant(bytes !== undefined, "a committed block is stored");
        return bytes;
      },
      onWaiting(reason) {
        isWaiting = true;
        ports.main.send({ kind: "gate", state: "waiting", blockNumber, reason });
      },
      signal: this.#patience.signal,
    });
    if (answer.kind === "published") {
      if (isWaiting) ports.main.send({ kind: "gate", state: "open", blockNumber });
      return true;
    }
    this.#isBlocked = true;
    if (answer.kind === "refused") {
      ports.main.send({ kind: "gate", state: "refused", blockNumber, epoch: answer.epoch });
    }
    return false;
  }

  #before(blockNumber: number): Predecessor | null {
    const { chain } = this.#deps;
    const before = blockNumber - 1;
    const header = chain.header(before);
    if (header === undefined) return null;
    const epoch = chain.epoch(before) === this.#epoch ? this.#epoch : null;
    return { blockNumber: before, hash: header.hash, epoch };
  }

  #commit({ l1Messages }: SealedMessage, draft: AssembledDraft): CompletedBlock["block"] {
    const { writer } = this.#deps;
    const { block, trie } = this.#complete(draft);
    const inputs = { l1Messages };
    const classes = draft.classes
      .map(bundledClassOf)
      .sort((a, b) => compareFelts(a.classHash, b.classHash));
    writer.commitBlock({ block, epoch: this.#epoch, classes, inputs, trie });
    this.#readsAhead = writer.triePagesRead - this.#pagesBefore >= MANY_PAGES;
    this.#pagesBefore = writer.triePagesRead;
    return block;
  }

  /** Computes roots, commitments, hash and signature of a draft on top of the newest block. */
  #complete(draft: AssembledDraft): CompletedBlock {
    const { chain, writer, pedersen, signingKey } = this.#deps;
    return completeBlock({
      draft,
      commitments: draft.commitments,
      parent: this.#parent,
      stateBefore: chain.stateAt(this.#parent?.number ?? -1),
      tries: writer.trieStore,
      pedersen,
      signingKey,
    });
  }
}
