import { sql } from "kysely";
import type { StatementFactory } from "../statement.ts";
import type { MempoolSchema } from "./schema.ts";
import type { RejectionCause } from "./types.ts";

/** Creates the statements of a mempool store. */
export function mempoolStatements(statements: StatementFactory<MempoolSchema>) {
  return {
    insert: statements.of<[hash: Uint8Array, receivedAtMs: number, bytes: Uint8Array]>()(
      (db, [hash, receivedAtMs, bytes]) =>
        db
          .insertInto("mempool_transaction")
          .values({ hash, received_at_ms: receivedAtMs, bytes })
          .onConflict((conflict) => conflict.column("hash").doNothing()),
    ),
    insertDeclare: statements.of<[Uint8Array, number, Uint8Array, Uint8Array, string | null]>()(
      (db, [hash, receivedAtMs, bytes, contractClass, casmJson]) =>
        db
          .insertInto("mempool_transaction")
          .values({
            hash,
            received_at_ms: receivedAtMs,
            bytes,
            contract_class: contractClass,
            casm_json: casmJson,
          })
          .onConflict((conflict) => conflict.column("hash").doNothing()),
    ),
    declared: statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db
        .selectFrom("mempool_transaction")
        .select(["contract_class", "casm_json"])
        .where("hash", "=", hash),
    ),
    remove: statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.deleteFrom("mempool_transaction").where("hash", "=", hash),
    ),
    mark: statements.of<[suspect: number, hash: Uint8Array]>()((db, [suspect, hash]) =>
      db.updateTable("mempool_transaction").set({ suspect }).where("hash", "=", hash),
    ),
    all: statements.of<[]>()((db) =>
      db
        .selectFrom("mempool_transaction")
        .select(["hash", "received_at_ms", "bytes", "suspect"])
        .select(sql<bigint>`coalesce(length(contract_class), 0)`.as("class_size_bytes"))
        .orderBy("sequence"),
    ),
    impersonated: statements.of<[]>()((db) => db.selectFrom("mempool_impersonated").select("hash")),
    impersonate: statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.replaceInto("mempool_impersonated").values({ hash }),
    ),
    forgetImpersonated: statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.deleteFrom("mempool_impersonated").where("hash", "=", hash),
    ),
    reject: statements.of<[Uint8Array, number, RejectionCause, string]>()(
      (db, [hash, rejectedAtMs, cause, reason]) =>
        db
          .replaceInto("mempool_rejection")
          .values({ hash, rejected_at_ms: rejectedAtMs, cause, reason }),
    ),
    forget: statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.deleteFrom("mempool_rejection").where("hash", "=", hash),
    ),
    rejection: statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db
        .selectFrom("mempool_rejection")
        .select(["rejected_at_ms", "cause", "reason"])
        .where("hash", "=", hash),
    ),
    pause: statements.of<[sender: Uint8Array, drops: number, endsAtMs: number]>()(
      (db, [sender, drops, endsAtMs]) =>
        db.replaceInto("mempool_pause").values({ sender, drops, ends_at_ms: endsAtMs }),
    ),
    pauses: statements.of<[afterMs: number]>()((db, [afterMs]) =>
      db
        .selectFrom("mempool_pause")
        .select(["sender", "drops", "ends_at_ms"])
        .where("ends_at_ms", ">", afterMs)
        .orderBy("ends_at_ms"),
    ),
    suspectMessages: statements.of<[]>()((db) =>
      db.selectFrom("mempool_suspect_message").select(["hash", "crashes", "reason"]),
    ),
    suspectMessage: statements.of<[Uint8Array, number, string | null]>()(
      (db, [hash, crashes, reason]) =>
        db.replaceInto("mempool_suspect_message").values({ hash, crashes, reason }),
    ),
    clearMessage: statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.deleteFrom("mempool_suspect_message").where("hash", "=", hash),
    ),
    forgetPauses: statements.of<[beforeMs: number]>()((db, [beforeMs]) =>
      db.deleteFrom("mempool_pause").where("ends_at_ms", "<", beforeMs),
    ),
    forgetBefore: statements.of<[beforeMs: number]>()((db, [beforeMs]) =>
      db.deleteFrom("mempool_rejection").where("rejected_at_ms", "<", beforeMs),
    ),
    withCause: statements.of<[cause: RejectionCause]>()((db, [cause]) =>
      db.selectFrom("mempool_rejection").select("hash").where("cause", "=", cause),
    ),
    /** Returns a row if there is any rejection. */
    anyRejection: statements.of<[]>()((db) =>
      db.selectFrom("mempool_rejection").select("rejected_at_ms").limit(1),
    ),
    /** Returns the time of the n-th newest rejection, counted from 0. */
    nthNewest: statements.of<[n: number]>()((db, [n]) =>
      db
        .selectFrom("mempool_rejection")
        .select("rejected_at_ms")
        .orderBy("rejected_at_ms", "desc")
        .limit(1)
        .offset(n),
    ),
  };
}
