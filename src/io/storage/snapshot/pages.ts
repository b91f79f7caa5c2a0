import { sql } from "kysely";
import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { fixed } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import type { SnapshotClass, SnapshotMessage, SnapshotStorage } from "./types.ts";

const decoder = new TextDecoder();

/** Contract that was ever written to. */
export interface PagedContract {
  readonly address: Felt;
  readonly id: number;
}

/** Reads rows of a chain as of a block, page by page; keys are in byte order. */
export class SnapshotPages {
  readonly #blockNumber: number;
  readonly #selectContracts;
  readonly #selectSlots;
  readonly #selectClasses;
  readonly #selectMessages;

  constructor(statements: StatementFactory<ChainSchema>, blockNumber: number) {
    this.#blockNumber = blockNumber;
    this.#selectContracts = statements.of<[from: Uint8Array, count: number]>()(
      (db, [from, count]) =>
        db
          .selectFrom("contract")
          .select(["address", "id"])
          .where("address", ">=", fixed(from))
          .orderBy("address")
          .limit(count),
    );
    // SQLite takes non-aggregated columns from the row with the greatest block.
    type SlotsFrom = [contract: number, from: Uint8Array, block: number, count: number];
    this.#selectSlots = statements.of<SlotsFrom>()((db, [contract, from, block, count]) =>
      db
        .selectFrom("contract_storage")
        .select(["key", "value", (slot) => slot.fn.max("block").as("block")])
        .where("contract", "=", fixed(contract))
        .where("key", ">=", fixed(from))
        .where("block", "<=", fixed(block))
        .groupBy("key")
        .orderBy("key")
        .limit(count),
    );
    this.#selectClasses = statements.of<[from: Uint8Array, block: number, count: number]>()(
      (db, [from, block, count]) =>
        db
          .selectFrom("class")
          .select(["hash", "declared_block", "definition", "casm"])
          .where("hash", ">=", fixed(from))
          .where("declared_block", "<=", fixed(block))
          .orderBy("hash")
          .limit(count),
    );
    type MessagesBehind = [nonce: Uint8Array, block: number, upTo: number, count: number];
    this.#selectMessages = statements.of<MessagesBehind>()((db, [nonce, block, upTo, count]) =>
      db
        .selectFrom("l1_message")
        .select(["nonce", "block", "position", "transaction_hash", "l1_transaction_hash"])
        .where(sql<boolean>`(nonce, block) > (${fixed(nonce)}, ${fixed(block)})`)
        .where("block", "<=", fixed(upTo))
        .orderBy("nonce")
        .orderBy("block")
        .limit(count),
    );
  }

  /** Returns contracts from an address on, including those written only by later or reverted blocks. */
  contracts(from: Felt, count: number): PagedContract[] {
    return this.#selectContracts
      .all(blobFromUint(from), count)
      .map((row) => ({ address: uintFromBlob(row.address), id: Number(row.id) }));
  }

  /** Returns storage variables of a contract from a key on, including those that are 0. */
  slots({ address, id }: PagedContract, from: Felt, count: number): SnapshotStorage[] {
    return this.#selectSlots
      .all(id, blobFromUint(from), this.#blockNumber, count)
      .map(({ key, value, block }) => ({
        contractAddress: address,
        key: uintFromBlob(key),
        value: uintFromBlob(value),
        updatedAtBlock: Number(block),
      }));
  }

  classes(from: Felt, count: number): Omit<SnapshotClass, "compiledClassHash">[] {
    return this.#selectClasses.all(blobFromUint(from), this.#blockNumber, count).map((row) => ({
      classHash: uintFromBlob(row.hash),
      contractClass: Bun.zstdDecompressSync(row.definition),
      casmJson: row.casm === null ? null : decoder.decode(Bun.zstdDecompressSync(row.casm)),
      declaredAtBlock: Number(row.declared_block),
    }));
  }

  /** Returns messages after a given one. */
  messages(after: SnapshotMessage | undefined, count: number): SnapshotMessage[] {
    const nonce = blobFromUint(after?.nonce ?? 0n);
    return this.#selectMessages
      .all(nonce, after?.blockNumber ?? -1, this.#blockNumber, count)
      .map((row) => ({
        nonce: uintFromBlob(row.nonce),
        blockNumber: Number(row.block),
        position: Number(row.position),
        transactionHash: uintFromBlob(row.transaction_hash),
        l1TransactionHash:
          row.l1_transaction_hash === null ? null : uintFromBlob(row.l1_transaction_hash),
      }));
  }
}
