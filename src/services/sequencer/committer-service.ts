import { NodeError } from "#base/errors/index.ts";
import {
  compareFelts,
  type Felt,
  type Outlet,
  type Port,
  type Timer,
} from "#base/primitives/index.ts";
import { type BlockHeader, bundledClassOf } from "#protocol/chain/index.ts";
import type { ChainWriter, StoredChainReader } from "#io/storage/index.ts";
import { visitStateDiff } from "#protocol/trie/index.ts";
import type { DeltaMessage, ExecutionGuard } from "#services/admission/index.ts";
import { completeBlock, type CompletedBlock } from "./complete-block.ts";
import { type AssembledDraft, DraftAssembly } from "./draft-assembly.ts";
import type { AcceptedMessage, SealedMessage } from "./messages.ts";
import { revertedTransactionsOf } from "./reverted-transactions.ts";
import type { PublishGate } from "./publish-gate.ts";
import { WorkQueue } from "./work-queue.ts";

/** How long a stop waits for drafts that have arrived. */
export const STOP_COMMIT_MS = 1_500;

/** Whom the committer talks to. */
export interface CommitterPorts {
  readonly executor: Port<DeltaMessage | SealedMessage, AcceptedMessage>;
  /** Who else has to know of accepted blocks before clients do. */
  readonly readers: readonly Outlet<AcceptedMessage>[];
  /** From here clients learn of accepted blocks. */
  readonly main: Outlet<AcceptedMessage>;
}

/** What the committer works with. */
export interface CommitterDeps {
  readonly ports: CommitterPorts;
  readonly chain: Pick<StoredChainReader, "bundleBytes" | "header" | "latestNumber" | "stateAt">;
  readonly writer: Pick<ChainWriter, "commitBlock" | "trieStore">;
  readonly guard: Pick<ExecutionGuard, "runBlock">;
  readonly gate: PublishGate;
  /** Private key that signs block hashes. */
  readonly signingKey: Felt;
  readonly timer: Pick<Timer, "nowMs">;
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

/** Of a sequencer that never took over from another one. */
const EPOCH = 0;

/** Makes sealed drafts into accepted blocks, one after the other; the only writer of the chain. */
export class CommitterService {
  readonly #deps: CommitterDeps;
  readonly #assembly = new DraftAssembly();
  readonly #drafts: WorkQueue<Sealed>;
  #parent: BlockHeader | undefined;
  /** Sealed and not accepted. */
  #waiting = 0;

  constructor(deps: CommitterDeps) {
    const { chain, timer } = deps;
    this.#deps = deps;
    const latest = chain.latestNumber();
    this.#parent = latest === undefined ? undefined : chain.header(latest);
    this.#drafts = new WorkQueue(
      (sealed) => this.#accept(sealed),
      () => timer.nowMs(),
    );
  }

  /** Begins to commit. Called once. */
  start(): void {
    const { ports, onFailure } = this.#deps;
    ports.executor.listen((message) => {
      if (message.kind === "delta") {
        this.#prepare(message);
        return;
      }
      this.#waiting++;
      this.#drafts.add({ message, draft: this.#assembly.seal(message) }).catch(onFailure);
    });
  }

  /**
   * Does of a block that is being built what can be done now: sealing then leaves less to do. Rows of
   * tries are read ahead only where no block waits for the thread; if one does, reading them twice
   * would make it wait longer.
   */
  #prepare(message: DeltaMessage): void {
    const changes = this.#assembly.add(message, this.#waiting === 0);
    if (changes !== undefined) visitStateDiff(this.#deps.writer.trieStore, changes);
  }

  /**
   * Settles when drafts that have arrived are committed, or {@link STOP_COMMIT_MS} is over. What is
   * left out was not accepted: its transactions come back from the durable mempool.
   */
  stop(): Promise<void> {
    return this.#drafts.stop(STOP_COMMIT_MS);
  }

  async #accept({ message, draft }: Sealed): Promise<void> {
    const { ports, chain, guard, gate, timer } = this.#deps;
    const startedMs = timer.nowMs();
    const { info, transactions } = draft;
    const hashes = transactions.map(({ hash }) => hash);
    const block = guard.runBlock(message.attempt, hashes, () => this.#commit(message, draft));
    const bundle = () => chain.bundleBytes(info.number) ?? new Uint8Array();
    if ((await gate(info.number, EPOCH, bundle)) === "refused") {
      throw new NodeError("NODE_DEPOSED", `block ${info.number} was refused by the publish gate`);
    }
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

  #commit({ l1Messages }: SealedMessage, draft: AssembledDraft): CompletedBlock["block"] {
    const { chain, writer, signingKey } = this.#deps;
    const { block, trie } = completeBlock({
      draft,
      commitments: draft.commitments,
      parent: this.#parent,
      stateBefore: chain.stateAt(draft.info.number - 1),
      tries: writer.trieStore,
      signingKey,
    });
    const inputs = { l1Messages };
    const classes = draft.classes
      .map(bundledClassOf)
      .sort((a, b) => compareFelts(a.classHash, b.classHash));
    writer.commitBlock({ block, epoch: EPOCH, classes, inputs, trie });
    return block;
  }
}
