import type { ClassContents } from "#protocol/chain/index.ts";
import type {
  MempoolEntry,
  MempoolRejection,
  MempoolStore,
  SenderPause,
  StoredMempoolEntry,
  SuspectMessage,
} from "#io/storage/index.ts";

/** A mempool store in memory whose disk speed the test controls. */
export interface MemoryMempoolStore extends MempoolStore {
  /** Pending syncs, oldest first. */
  readonly syncs: PromiseWithResolvers<void>[];
  /** Arguments of {@link MempoolStore.forgetRejections}. */
  readonly forgotten: (readonly [beforeMs: number, keepAtMost: number])[];
  /** Whether syncs wait until the test settles them. */
  holdSyncs: boolean;
}

/** An empty store. */
export function memoryMempoolStore(): MemoryMempoolStore {
  const entries = new Map<bigint, StoredMempoolEntry>();
  const rejections = new Map<bigint, MempoolRejection>();
  const classes = new Map<bigint, ClassContents>();
  const suspects = new Map<bigint, SuspectMessage>();
  const senderPauses = new Map<bigint, SenderPause>();
  const store: MemoryMempoolStore = {
    syncs: [],
    forgotten: [],
    holdSyncs: false,
    write({
      put = [],
      remove = [],
      reject = [],
      quarantine = [],
      pauses = [],
      suspectMessages = [],
      clearMessages = [],
    }) {
      for (const entry of put) {
        if (!entries.has(entry.hash)) {
          entries.set(entry.hash, storedEntry(entry));
          if (entry.declared === undefined) classes.delete(entry.hash);
          else classes.set(entry.hash, entry.declared);
        }
        rejections.delete(entry.hash);
      }
      for (const hash of remove) entries.delete(hash);
      for (const { hash, cause, reason, rejectedAtMs } of reject) {
        entries.delete(hash);
        rejections.set(hash, { hash, cause, reason, rejectedAtMs });
      }
      for (const { hash, crashes } of quarantine) {
        const entry = entries.get(hash);
        if (entry !== undefined) entries.set(hash, { ...entry, crashes });
      }
      for (const pause of pauses) senderPauses.set(pause.sender, pause);
      for (const suspect of suspectMessages) suspects.set(suspect.hash, suspect);
      for (const hash of clearMessages) suspects.delete(hash);
    },
    sync() {
      if (!store.holdSyncs) return Promise.resolve();
      const sync = Promise.withResolvers<void>();
      store.syncs.push(sync);
      return sync.promise;
    },
    put: (put: readonly MempoolEntry[]) => store.write({ put }),
    remove: (remove) => store.write({ remove }),
    loadAll: () => [...entries.values()],
    declaredClass: (hash) => (entries.has(hash) ? classes.get(hash) : undefined),
    rejectionOf: (hash) => rejections.get(hash),
    fatalHashes: () =>
      [...rejections.values()].filter(({ cause }) => cause === "fatal").map(({ hash }) => hash),
    pauses: (afterMs) => [...senderPauses.values()].filter(({ endsAtMs }) => endsAtMs > afterMs),
    suspectMessages: () => [...suspects.values()],
    forgetPauses: () => undefined,
    forgetRejections: (...limits) => void store.forgotten.push(limits),
    close: () => undefined,
  };
  return store;
}

function storedEntry({ declared, ...entry }: MempoolEntry): StoredMempoolEntry {
  return { ...entry, crashes: 0, classSizeBytes: declared?.contractClass.byteLength ?? 0 };
}
