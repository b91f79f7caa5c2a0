import { sql } from "kysely";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import type { Felt } from "#base/primitives/index.ts";
import { ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { SnapshotMessage } from "./types.ts";

/**
 * Block number for state rows whose block a snapshot does not record; any block up to the snapshot's works.
 */
const SOME_BLOCK = sql<number>`0`;

/** Inserts rows of a snapshot; repeated rows replace earlier ones. Every method needs an open transaction. */
export class SnapshotRows {
  readonly #nonce;
  readonly #classHash;
  readonly #compiled;
  readonly #storage;
  readonly #message;
  readonly #lateRows;
  readonly #lateClasses;
  readonly #undeclared;
  readonly #deleteMessages;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#nonce = statements.of<[contract: number, nonce: Uint8Array]>()((db, [contract, nonce]) =>
      db.replaceInto("contract_nonce").values({ contract, block: SOME_BLOCK, nonce }),
    );
    this.#classHash = statements.of<[contract: number, classHash: Uint8Array]>()(
      (db, [contract, classHash]) =>
        db
          .replaceInto("contract_class")
          .values({ contract, block: SOME_BLOCK, class_hash: classHash }),
    );
    this.#compiled = statements.of<[classHash: Uint8Array, compiled: Uint8Array]>()(
      (db, [classHash, compiled]) =>
        db.replaceInto("compiled_class_hash").values({
          class_hash: classHash,
          block: SOME_BLOCK,
          compiled_class_hash: compiled,
        }),
    );
    type Slot = [contract: number, key: Uint8Array, block: number, value: Uint8Array];
    this.#storage = statements.of<Slot>()((db, [contract, key, block, value]) =>
      db.replaceInto("contract_storage").values({ contract, key, block, value }),
    );
    type Message = [Uint8Array, number, number, Uint8Array, Uint8Array | null];
    this.#message = statements.of<Message>()((db, [nonce, block, position, hash, l1Hash]) =>
      db.replaceInto("l1_message").values({
        nonce,
        block,
        position,
        transaction_hash: hash,
        l1_transaction_hash: l1Hash,
      }),
    );
    this.#deleteMessages = statements.of<[block: number]>()((db, [block]) =>
      db.deleteFrom("l1_message").where("block", "=", block),
    );
    this.#lateRows = [
      statements.of<[block: number]>()((db, [block]) =>
        db.selectFrom("contract_storage").select("block").where("block", ">=", block).limit(ONE),
      ),
      statements.of<[block: number]>()((db, [block]) =>
        db.selectFrom("l1_message").select("block").where("block", ">", block).limit(ONE),
      ),
    ];
    this.#lateClasses = statements.of<[block: number]>()((db, [block]) =>
      db
        .selectFrom("class")
        .select(["hash", "declared_block"])
        .where("declared_block", ">=", block),
    );
    this.#undeclared = statements.of<[]>()((db) =>
      db
        .selectFrom("contract_class")
        .select("class_hash")
        .where("class_hash", "not in", db.selectFrom("class").select("hash"))
        .limit(ONE),
    );
  }

  nonce(contract: number, nonce: Felt): void {
    this.#nonce.run(contract, blobFromUint(nonce));
  }

  classHash(contract: number, classHash: Felt): void {
    this.#classHash.run(contract, blobFromUint(classHash));
  }

  compiledClassHash(classHash: Felt, compiled: Felt): void {
    this.#compiled.run(blobFromUint(classHash), blobFromUint(compiled));
  }

  storage(contract: number, key: Felt, block: number, value: Felt): void {
    this.#storage.run(contract, blobFromUint(key), block, blobFromUint(value));
  }

  message({ nonce, blockNumber, position, transactionHash, l1TransactionHash }: SnapshotMessage) {
    this.#message.run(
      blobFromUint(nonce),
      blockNumber,
      position,
      blobFromUint(transactionHash),
      l1TransactionHash === null ? null : blobFromUint(l1TransactionHash),
    );
  }

  deleteMessagesOf(blockNumber: number): void {
    this.#deleteMessages.run(blockNumber);
  }

  /**
   * Returns an impossible block number in a row: at or above `blockNumber` for a storage variable, above it
   * for a message. @returns `undefined` if none
   */
  lateBlock(blockNumber: number): number | undefined {
    for (const select of this.#lateRows) {
      const row = select.get(blockNumber);
      if (row !== undefined) return Number(row.block);
    }
    return undefined;
  }

  /** Returns classes declared at or after `blockNumber`, with their blocks. */
  classesFrom(blockNumber: number): ReadonlyMap<Felt, number> {
    const rows = this.#lateClasses.all(blockNumber);
    return new Map(rows.map((row) => [uintFromBlob(row.hash), Number(row.declared_block)]));
  }

  /** Returns a class that a contract uses but that is not stored. */
  missingClass(): Felt | undefined {
    const row = this.#undeclared.get();
    return row === undefined ? undefined : uintFromBlob(row.class_hash);
  }
}
