import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint } from "../blob.ts";
import type { MetaTables } from "../meta.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { classChanges, compiledChanges } from "./changes.ts";
import type { StateTables } from "./reader.ts";

const NEXT_CONTRACT_ID = "next_contract_id";

/** Writes versioned state rows. Every method needs an open transaction. */
export class StateWriter {
  readonly #tables: StateTables;
  readonly #meta: MetaTables;
  readonly #insertContract;
  readonly #insertStorage;
  readonly #insertNonce;
  readonly #insertClassHash;
  readonly #insertCompiledClassHash;
  readonly #deleteStorage;
  readonly #deleteNonce;
  readonly #deleteClassHash;
  readonly #deleteCompiledClassHash;

  constructor(statements: StatementFactory<ChainSchema>, tables: StateTables, meta: MetaTables) {
    this.#tables = tables;
    this.#meta = meta;
    this.#insertContract = statements.of<[Uint8Array, number]>()((db, [address, id]) =>
      db.insertInto("contract").values({ address, id }),
    );
    this.#insertStorage = statements.of<[number, Uint8Array, number, Uint8Array]>()(
      (db, [contract, key, block, value]) =>
        db.insertInto("contract_storage").values({ contract, key, block, value }),
    );
    this.#insertNonce = statements.of<[number, number, Uint8Array]>()(
      (db, [contract, block, nonce]) =>
        db.insertInto("contract_nonce").values({ contract, block, nonce }),
    );
    this.#insertClassHash = statements.of<[number, number, Uint8Array]>()(
      (db, [contract, block, classHash]) =>
        db.insertInto("contract_class").values({ contract, block, class_hash: classHash }),
    );
    this.#insertCompiledClassHash = statements.of<[Uint8Array, number, Uint8Array]>()(
      (db, [classHash, block, compiled]) =>
        db
          .insertInto("compiled_class_hash")
          .values({ class_hash: classHash, block, compiled_class_hash: compiled }),
    );
    this.#deleteStorage = statements.of<[number, Uint8Array, number]>()(
      (db, [contract, key, block]) =>
        db
          .deleteFrom("contract_storage")
          .where("contract", "=", contract)
          .where("key", "=", key)
          .where("block", ">", block),
    );
    this.#deleteNonce = statements.of<[number, number]>()((db, [contract, block]) =>
      db.deleteFrom("contract_nonce").where("contract", "=", contract).where("block", ">", block),
    );
    this.#deleteClassHash = statements.of<[number, number]>()((db, [contract, block]) =>
      db.deleteFrom("contract_class").where("contract", "=", contract).where("block", ">", block),
    );
    this.#deleteCompiledClassHash = statements.of<[Uint8Array, number]>()(
      (db, [classHash, block]) =>
        db
          .deleteFrom("compiled_class_hash")
          .where("class_hash", "=", classHash)
          .where("block", ">", block),
    );
  }

  /** Returns the id of a contract, assigning the next id to a new one. */
  contractId(address: Felt): number {
    const known = this.#tables.contractId(address);
    if (known !== undefined) return known;
    const id = this.#meta.number(NEXT_CONTRACT_ID) ?? 1;
    this.#insertContract.run(blobFromUint(address), id);
    this.#meta.setNumber(NEXT_CONTRACT_ID, id + 1);
    return id;
  }

  apply(diff: StateDiff, blockNumber: number): void {
    for (const [address, entries] of diff.storageDiffs) {
      if (entries.size === 0) continue;
      const id = this.contractId(address);
      for (const [key, value] of entries) {
        this.#insertStorage.run(id, blobFromUint(key), blockNumber, blobFromUint(value));
      }
    }
    for (const [address, nonce] of diff.nonces) {
      this.#insertNonce.run(this.contractId(address), blockNumber, blobFromUint(nonce));
    }
    for (const [address, classHash] of classChanges(diff)) {
      this.#insertClassHash.run(this.contractId(address), blockNumber, blobFromUint(classHash));
    }
    for (const [classHash, compiled] of compiledChanges(diff)) {
      this.#insertCompiledClassHash.run(
        blobFromUint(classHash),
        blockNumber,
        blobFromUint(compiled),
      );
    }
  }

  /** Removes rows above block `blockNumber` for all keys in `diff`. */
  revert(diff: StateDiff, blockNumber: number): void {
    for (const [address, entries] of diff.storageDiffs) {
      const id = this.contractId(address);
      for (const key of entries.keys()) this.#deleteStorage.run(id, blobFromUint(key), blockNumber);
    }
    for (const address of diff.nonces.keys()) {
      this.#deleteNonce.run(this.contractId(address), blockNumber);
    }
    for (const address of classChanges(diff).keys()) {
      this.#deleteClassHash.run(this.contractId(address), blockNumber);
    }
    for (const classHash of compiledChanges(diff).keys()) {
      this.#deleteCompiledClassHash.run(blobFromUint(classHash), blockNumber);
    }
  }
}
