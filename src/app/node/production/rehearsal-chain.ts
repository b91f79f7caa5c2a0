import type { Felt, Port, Timer } from "#base/primitives/index.ts";
import type { TrieHash } from "#protocol/trie/index.ts";
import {
  type ChainWriterOptions,
  createChainReader,
  createChainWriter,
  openDatabase,
} from "#io/storage/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import {
  type AcceptedMessage,
  CommitterService,
  openGate,
  type RehearsalMessage,
  type SealedMessage,
} from "#services/sequencer/index.ts";

/** Dependencies of a chain of rehearsals; the same that the real chain is committed with. */
export interface RehearsalDeps {
  readonly chainId: string;
  readonly storage: ChainWriterOptions;
  readonly pedersen: TrieHash;
  /** Private key that signs block hashes. */
  readonly signingKey: Felt;
  readonly timer: Timer;
  readonly onFailure: (error: unknown) => void;
}

/** In-memory chain of blocks that warm up the committer; it is discarded before the node is ready. */
export interface RehearsalChain {
  /** Commits a block, numbered from 0, once the chain is open. */
  take(message: RehearsalMessage): void;
  /** Ignores further blocks. */
  end(): void;
  /** Discards the chain. */
  close(): Promise<void>;
}

/**
 * Creates an in-memory chain with a separate committer, to which blocks are committed like real ones. This
 * makes the runtime compile the code that each block runs. The chain is opened at its first block, and never
 * visible.
 */
export function rehearsalChain(deps: RehearsalDeps): RehearsalChain {
  let opened: ReturnType<typeof openRehearsals> | undefined;
  let hasEnded = false;
  return {
    take(message) {
      if (hasEnded) return;
      opened ??= openRehearsals(deps);
      opened.then(({ commit }) => hasEnded || commit(message), deps.onFailure);
    },
    end() {
      hasEnded = true;
    },
    async close() {
      hasEnded = true;
      const chain = opened;
      opened = undefined;
      await (await chain)?.close();
    },
  };
}

/** Filters rehearsals from the executor's messages, and ends them at the first other message. */
export function withoutRehearsals(
  executor: Port<DeltaMessage | SealedMessage | RehearsalMessage, AcceptedMessage>,
  rehearsals: Pick<RehearsalChain, "take" | "end">,
): Port<DeltaMessage | SealedMessage, AcceptedMessage> {
  return {
    ...executor,
    listen(handler) {
      executor.listen((message) => {
        if (message.kind === "rehearsal") {
          rehearsals.take(message);
          return;
        }
        rehearsals.end();
        handler(message);
      });
    },
  };
}

async function openRehearsals(deps: RehearsalDeps) {
  const { chainId, storage, pedersen, signingKey, timer, onFailure } = deps;
  const database = await openDatabase({
    path: ":memory:",
    chainId,
    mode: "writer",
    durability: "normal",
  });
  let tell: (message: DeltaMessage | SealedMessage) => void = () => undefined;
  const service = new CommitterService({
    ports: {
      executor: { send: () => undefined, listen: (handler) => void (tell = handler) },
      readers: [],
      main: { send: () => undefined },
    },
    chain: createChainReader(database),
    writer: createChainWriter(database, storage),
    guard: { runBlock: (_attempt, _hashes, commit) => commit() },
    gate: openGate,
    epoch: null,
    pedersen,
    signingKey,
    timer,
    afterAccepted: () => undefined,
    onFailure,
  });
  service.start();
  return {
    commit({ deltas, blockNumber, stateDiff }: RehearsalMessage): void {
      for (const [sequence, bytes] of deltas.entries()) {
        tell({ kind: "delta", blockNumber, sequence, bytes });
      }
      const sealed = { attempt: 1, productionSeconds: 0, l1Messages: [] };
      tell({ kind: "sealed", blockNumber, stateDiff, ...sealed });
    },
    async close(): Promise<void> {
      await service.stop();
      database.close();
    },
  };
}
