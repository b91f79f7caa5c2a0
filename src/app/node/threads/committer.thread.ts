import { invariant, NodeError } from "#base/errors/index.ts";
import type { Outlet } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import {
  type AcceptedMessage,
  completeBlock,
  type CompletedBlock,
  openGate,
  type SealedDraft,
  type SealedMessage,
} from "#services/sequencer/index.ts";
import { decodePendingDelta } from "#engine/state/index.ts";
import {
  type ChainWriter,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  ExecutionJournal,
  openDatabase,
  readExecutionRecord,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { ExecutionGuard } from "#services/admission/index.ts";
import { loadSigningKey } from "../signing-key.ts";
import { fail, runWorker, type WorkerContext, type WorkerService } from "./runtime.ts";
import { WorkQueue } from "./work-queue.ts";

/** How long a stop waits for drafts that have arrived. */
const STOP_COMMIT_MS = 1_500;

/** Makes sealed drafts into accepted blocks, one after the other; the only writer of the chain. */
class CommitterService implements WorkerService {
  readonly #context: WorkerContext<"committer">;
  readonly #database: DatabaseHandle;
  readonly #chain: StoredChainReader;
  readonly #writer: ChainWriter;
  readonly #signingKey: bigint;
  readonly #listeners: readonly Outlet<AcceptedMessage>[];
  readonly #journal: ExecutionJournal;
  readonly #guard: ExecutionGuard;
  #parent: BlockHeader | undefined;
  readonly #drafts = new WorkQueue((message: SealedMessage) => this.#accept(message));

  constructor(context: WorkerContext<"committer">, database: DatabaseHandle) {
    this.#context = context;
    this.#database = database;
    this.#chain = createChainReader(database);
    this.#writer = createChainWriter(database);
    this.#signingKey = loadSigningKey(context.setup.files.signingKey).privateKey;
    const latest = this.#chain.latestNumber();
    this.#parent = latest === undefined ? undefined : this.#chain.header(latest);
    const { commitJournal } = context.setup.files;
    const last = readExecutionRecord(commitJournal);
    this.#journal = new ExecutionJournal(commitJournal);
    this.#guard = new ExecutionGuard(this.#journal, last);
    const executor = context.connect("executor");
    executor.listen((message) => {
      this.#drafts.add(message).catch(fail);
    });
    this.#listeners = [executor, context.connect("admission"), ...context.connectQueries()];
  }

  async stop(): Promise<void> {
    // What is left out was not accepted: its transactions come back from the durable mempool.
    await this.#drafts.stop(STOP_COMMIT_MS);
    this.#journal.close();
    this.#database.checkpoint();
    this.#database.close();
  }

  async #accept(message: SealedMessage): Promise<void> {
    const startedMs = performance.now();
    const { info, transactions, receipts, diff } = decodePendingDelta(message.bytes);
    invariant(info !== null, "a sealed block lacks its info");
    const draft: SealedDraft = { info, transactions, receipts, stateDiff: diff };
    const epoch = 0;
    const hashes = transactions.map(({ hash }) => hash);
    const block = this.#guard.runBlock(message.attempt, hashes, () => this.#commit(draft, epoch));
    const bundle = () => this.#chain.bundleBytes(info.number) ?? new Uint8Array();
    if ((await openGate(info.number, epoch, bundle)) === "refused") {
      throw new NodeError("NODE_DEPOSED", `block ${info.number} was refused by the publish gate`);
    }
    this.#parent = block.header;
    const accepted: AcceptedMessage = {
      kind: "accepted",
      blockNumber: info.number,
      blockHash: block.header.hash,
      transactionCount: transactions.length,
      eventCount: block.header.eventCount,
      productionSeconds: message.productionSeconds,
      commitSeconds: (performance.now() - startedMs) / 1000,
    };
    // The main thread comes last: what clients know from it, the others know already.
    for (const listener of this.#listeners) listener.send(accepted);
    this.#context.main.send(accepted);
  }

  #commit(draft: SealedDraft, epoch: number): CompletedBlock["block"] {
    const { block, trie } = completeBlock({
      draft,
      parent: this.#parent,
      stateBefore: this.#chain.stateAt(draft.info.number - 1),
      tries: this.#writer.trieStore,
      signingKey: this.#signingKey,
    });
    this.#writer.commitBlock({ block, epoch, classes: [], inputs: { l1Messages: [] }, trie });
    return block;
  }
}

runWorker("committer", async (context) => {
  const { config, files } = context.setup;
  const database = await openDatabase({
    path: files.chainDatabase,
    chainId: config.chainId,
    mode: "writer",
    durability: "full",
  });
  return new CommitterService(context, database);
});
