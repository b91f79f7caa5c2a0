import { StorageError } from "#base/errors/index.ts";
import { noRoomSentence } from "../file-failure.ts";
import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { NOTHING_DERIVED } from "../file.ts";
import { openFile } from "../open-file.ts";
import { StatementFactory } from "../statement.ts";
import { syncedFile } from "../synced-file.ts";
import { MEMPOOL_MIGRATIONS } from "./migrations.ts";
import { MEMPOOL_TABLES } from "./newest.ts";
import type { MempoolSchema } from "./schema.ts";
import { mempoolStatements } from "./statements.ts";
import type { MempoolChanges, MempoolStore } from "./types.ts";

/** Maximum length of a stored reason in characters. */
const MAX_REASON_LENGTH = 4_000;

/** Store of a mempool in a database file. */
export interface MempoolFile extends MempoolStore {
  /** As {@link StatementFactory.prepareNext}. */
  prepareNext(): boolean;
}

/**
 * Opens or creates the store of a mempool.
 *
 * @throws {StorageError} as `openDatabase`
 */
export async function openMempoolStore(path: string, chainId: string): Promise<MempoolFile> {
  const { connection, kysely } = await openFile<MempoolSchema>({
    path,
    chainId,
    mode: "writer",
    durability: "normal",
    migrations: MEMPOOL_MIGRATIONS,
    newest: MEMPOOL_TABLES,
    derive: NOTHING_DERIVED,
  });
  const factory = new StatementFactory<MempoolSchema>(connection, kysely);
  const statements = mempoolStatements(factory);
  // Cached, so that chains without impersonation, all but development chains, run no queries for it.
  const impersonated = new Set(statements.impersonated.all().map(({ hash }) => uintFromBlob(hash)));
  // Without recent rejections, new transactions skip the lookup of an earlier rejection.
  let hasRejections = statements.anyRejection.get() !== undefined;
  const removeOne = (hash: Felt) => {
    statements.remove.run(blobFromUint(hash));
    if (impersonated.delete(hash)) statements.forgetImpersonated.run(blobFromUint(hash));
  };
  let isChanged = false;
  const atomically = (work: () => void) => {
    isChanged = true;
    try {
      connection.transaction(work).immediate();
    } catch (cause) {
      const message = `The mempool could not be stored.${noRoomSentence(cause)}`;
      throw new StorageError("STORAGE_FAILED", message, { cause });
    }
  };
  const write = (changes: MempoolChanges) => {
    const { put = [], remove = [], reject = [], quarantine = [], pauses = [] } = changes;
    const { suspectMessages = [], clearMessages = [] } = changes;
    const lists = Object.values(changes) as readonly (readonly unknown[])[];
    if (lists.every(({ length }) => length === 0)) return;
    atomically(() => {
      for (const entry of put) {
        const hash = blobFromUint(entry.hash);
        const { receivedAtMs, bytes, declared } = entry;
        if (declared === undefined) statements.insert.run(hash, receivedAtMs, bytes);
        else {
          const { contractClass, casmJson } = declared;
          statements.insertDeclare.run(hash, receivedAtMs, bytes, contractClass, casmJson);
        }
        if (entry.isImpersonated === true) {
          statements.impersonate.run(hash);
          impersonated.add(entry.hash);
        }
        if (hasRejections) statements.forget.run(hash);
      }
      for (const hash of remove) removeOne(hash);
      for (const { hash, rejectedAtMs, cause, reason } of reject) {
        removeOne(hash);
        hasRejections = true;
        statements.reject.run(blobFromUint(hash), rejectedAtMs, cause, shortened(reason));
      }
      for (const { hash, crashes } of quarantine) {
        statements.mark.run(crashes, blobFromUint(hash));
      }
      for (const { sender, drops, endsAtMs } of pauses) {
        statements.pause.run(blobFromUint(sender), drops, endsAtMs);
      }
      for (const { hash, crashes, reason } of suspectMessages) {
        const text = reason === null ? null : shortened(reason);
        statements.suspectMessage.run(blobFromUint(hash), crashes, text);
      }
      for (const hash of clearMessages) statements.clearMessage.run(blobFromUint(hash));
    });
  };
  const log = syncedFile(`${path}-wal`);
  let synced: Promise<void> = Promise.resolve();
  return {
    prepareNext: () => factory.prepareNext(),
    write,
    sync() {
      if (!isChanged) return synced;
      isChanged = false;
      synced = log.sync();
      return synced;
    },
    put: (entries) => write({ put: entries }),
    remove: (hashes) => write({ remove: hashes }),
    loadAll: () =>
      statements.all.all().map((row) => {
        const hash = uintFromBlob(row.hash);
        return {
          hash,
          receivedAtMs: Number(row.received_at_ms),
          bytes: row.bytes,
          crashes: Number(row.suspect),
          classSizeBytes: Number(row.class_size_bytes),
          ...(impersonated.has(hash) ? { isImpersonated: true } : {}),
        };
      }),
    declaredClass(hash) {
      const row = statements.declared.get(blobFromUint(hash));
      const contractClass = row?.contract_class ?? null;
      return contractClass === null
        ? undefined
        : { contractClass, casmJson: row?.casm_json ?? null };
    },
    rejectionOf(hash) {
      if (!hasRejections) return undefined;
      const row = statements.rejection.get(blobFromUint(hash));
      if (row === undefined) return undefined;
      const { cause, reason } = row;
      return { hash, cause, reason, rejectedAtMs: Number(row.rejected_at_ms) };
    },
    fatalHashes: () => statements.withCause.all("fatal").map(({ hash }) => uintFromBlob(hash)),
    pauses: (afterMs) =>
      statements.pauses.all(afterMs).map((row) => ({
        sender: uintFromBlob(row.sender),
        drops: Number(row.drops),
        endsAtMs: Number(row.ends_at_ms),
      })),
    suspectMessages: () =>
      statements.suspectMessages.all().map(({ hash, crashes, reason }) => ({
        hash: uintFromBlob(hash),
        crashes: Number(crashes),
        reason,
      })),
    forgetPauses: (beforeMs) => atomically(() => statements.forgetPauses.run(beforeMs)),
    forgetRejections(beforeMs, keepAtMost) {
      atomically(() => {
        const oldestKept = statements.nthNewest.get(Math.max(0, keepAtMost - 1));
        statements.forgetBefore.run(
          Math.max(beforeMs, Number(oldestKept?.rejected_at_ms ?? beforeMs)),
        );
      });
      hasRejections = statements.anyRejection.get() !== undefined;
    },
    close() {
      log.close();
      connection.close(true);
    },
  };
}

/** Contracts control parts of a reason, so its stored length is limited. */
function shortened(reason: string): string {
  return reason.length <= MAX_REASON_LENGTH ? reason : `${reason.slice(0, MAX_REASON_LENGTH)}...`;
}
