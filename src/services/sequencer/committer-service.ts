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

/** How long a stop waits for drafts that have arrived. */
export const STOP_COMMIT_MS = 1_500;

/** Whom the committer talks to. */
export interface CommitterPorts {
  readonly executor: Port<DeltaMessage | SealedMessage, AcceptedMessage>;
  /** Who else has to know of accepted blocks before clients do. */
  readonly readers: readonly Outlet<AcceptedMessage>[];
  /** From here clients learn of accepted blocks; and what the gate does. */
  readonly main: Outlet<AcceptedMessage | GateMessage>;
}

/** What the committer works with. */
export interface CommitterDeps {
  readonly ports: CommitterPorts;
  readonly chain: Pick<
    StoredChainReader,
    "bundleBytes" | "epoch" | "header" | "latestNumber" | "stateAt"
  >;
  readonly writer: Pick<ChainWriter, "commitBlock" | "triePagesRead" | "trieStore">;
  readonly guard: Pick<ExecutionGuard, "runBlock">;
  readonly gate: PublishGate;
  /** Of the blocks that are made; `null`: they have their parent's. */
  readonly epoch: number | null;
  /** Hash of the contracts trie and of storage tries. */
  readonly pedersen: TrieHash;
  /** Private key that signs block hashes. */
  readonly signingKey: Felt;
  readonly timer: Timer;
  /** Called when everybody has heard of a block: for work that clients need not wait for. */
  readonly afterAccepted: () => void;
  /** Hears why a block could not be committed; nothing is committed after it. */
  readonly onFailure: (error: unknown) => void;
}

/** A draft with what was said when it was sealed. */
interface Sealed {
  readonly message: SealedMessage;
  readonly draft: AssembledDraft;
}

/** A block that read so many pages of tries from the file has those of the next one read ahead. */
const MANY_PAGES = 16;

/** Of a chain's first sequencer. */
const FIRST_EPOCH = 0;

/**
 * Makes sealed drafts into accepted blocks, one after the other; the only writer of the chain. A block is
 * committed when the one before is accepted, so that at most one is stored that was not published. That
 * one the gate is asked about again by whoever starts with it.
 */
export class CommitterService {
  readonly #deps: CommitterDeps;
  readonly #assembly = new DraftAssembly();
  readonly #work: WorkQueue<() => Promise<void>>;
  readonly #epoch: number;
  /** Aborted when the gate is waited for no longer. */
  readonly #patience = new AbortController();
  /** The gate did not let a block pass: nothing is committed on it. */
  #isBlocked = false;
  #parent: BlockHeader | undefined;
  /** Sealed and not accepted. */
  #waiting = 0;
  /** Pages of tries that were read from the file before the block that is built or committed. */
  #pagesBefore = 0;
  /** The newest block read many of them. */
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

  /** Begins to commit, once the gate let the newest stored block pass. Called once. */
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
   * Does of a block that is being built what can be done now: sealing then leaves less to do. Pages of
   * tries are read ahead only where memory lacks many, and no block waits for the thread: going the ways
   * through the tries twice would make it wait longer.
   */
  #prepare(message: DeltaMessage): void {
    const changes = this.#assembly.add(message, this.#readsAhead && this.#waiting === 0);
    if (changes !== undefined) visitStateDiff(this.#deps.writer.trieStore, changes);
  }

  /**
   * Settles when drafts that have arrived are committed, or {@link STOP_COMMIT_MS} is over. What is
   * left out was not accepted: its transactions come back from the durable mempool. A block about which the
   * gate has not answered by then stays stored.
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
    // The main thread comes last: what clients know from it, the others know already.
    for (const listener of [ports.executor, ...ports.readers, ports.main]) listener.send(accepted);
    this.#deps.afterAccepted();
  }

  /**
   * Asks the gate about a stored block; the main thread hears why it takes long.
   *
   * @returns whether it let the block pass
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
