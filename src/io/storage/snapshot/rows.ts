import { sql } from "kysely";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import type { Felt } from "#base/primitives/index.ts";
import { ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { SnapshotMessage } from "./types.ts";

/**
 * The block under which the state stands whose block no snapshot tells: any does that is not above the
 * snapshot's.
 */
const SOME_BLOCK = sql<number>`0`;

/** Inserts rows of a snapshot, each again as often as it comes. Every method needs an open transaction. */
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
   * A block that a row names and that cannot be: of a storage variable one from `blockNumber` on, of a
   * message one above it.
   */
  lateBlock(blockNumber: number): number | undefined {
    for (const select of this.#lateRows) {
      const row = select.get(blockNumber);
      if (row !== undefined) return Number(row.block);
    }
    return undefined;
  }

  /** Hashes of classes that a block from `blockNumber` on declares, with that block. */
  classesFrom(blockNumber: number): ReadonlyMap<Felt, number> {
    const rows = this.#lateClasses.all(blockNumber);
    return new Map(rows.map((row) => [uintFromBlob(row.hash), Number(row.declared_block)]));
  }

  /** The class of some contract that is not there. */
  missingClass(): Felt | undefined {
    const row = this.#undeclared.get();
    return row === undefined ? undefined : uintFromBlob(row.class_hash);
  }
}
