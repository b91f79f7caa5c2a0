import { blobFromUint, uintFromBlob } from "../blob.ts";
import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { unpackIds } from "../trie/ids.ts";
import { TRIE_KINDS } from "../trie/kinds.ts";
import type { TrieRootRow } from "./rows.ts";

/** State and trie rows written by single blocks. */
export class StateRows {
  readonly #selectContract;
  readonly #selectStorage;
  readonly #selectNonce;
  readonly #selectClassHash;
  readonly #selectCompiled;
  readonly #newestStorage;
  readonly #newestNonce;
  readonly #newestClassHash;
  readonly #newestCompiled;
  readonly #selectRoot;
  readonly #selectRemoved;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#selectContract = statements.of<[address: Uint8Array]>()((db, [address]) =>
      db.selectFrom("contract").select("id").where("address", "=", address),
    );
    this.#selectStorage = statements.of<[contract: number, key: Uint8Array, block: number]>()(
      (db, [contract, key, block]) =>
        db
          .selectFrom("contract_storage")
          .select("value")
          .where("contract", "=", contract)
          .where("key", "=", key)
          .where("block", "=", block),
    );
    this.#selectNonce = statements.of<[contract: number, block: number]>()(
      (db, [contract, block]) =>
        db
          .selectFrom("contract_nonce")
          .select("nonce")
          .where("contract", "=", contract)
          .where("block", "=", block),
    );
    this.#selectClassHash = statements.of<[contract: number, block: number]>()(
      (db, [contract, block]) =>
        db
          .selectFrom("contract_class")
          .select("class_hash")
          .where("contract", "=", contract)
          .where("block", "=", block),
    );
    this.#selectCompiled = statements.of<[classHash: Uint8Array, block: number]>()(
      (db, [classHash, block]) =>
        db
          .selectFrom("compiled_class_hash")
          .select("compiled_class_hash")
          .where("class_hash", "=", classHash)
          .where("block", "=", block),
    );
    this.#newestStorage = statements.of<[contract: number, key: Uint8Array, upTo: number]>()(
      (db, [contract, key, upTo]) =>
        db
          .selectFrom("contract_storage")
          .select("block")
          .where("contract", "=", fixed(contract))
          .where("key", "=", fixed(key))
          .where("block", "<=", fixed(upTo))
          .orderBy("block", "desc")
          .limit(ONE),
    );
    this.#newestNonce = statements.of<[contract: number, upTo: number]>()((db, [contract, upTo]) =>
      db
        .selectFrom("contract_nonce")
        .select("block")
        .where("contract", "=", fixed(contract))
        .where("block", "<=", fixed(upTo))
        .orderBy("block", "desc")
        .limit(ONE),
    );
    this.#newestClassHash = statements.of<[contract: number, upTo: number]>()(
      (db, [contract, upTo]) =>
        db
          .selectFrom("contract_class")
          .select("block")
          .where("contract", "=", fixed(contract))
          .where("block", "<=", fixed(upTo))
          .orderBy("block", "desc")
          .limit(ONE),
    );
    this.#newestCompiled = statements.of<[classHash: Uint8Array, upTo: number]>()(
      (db, [classHash, upTo]) =>
        db
          .selectFrom("compiled_class_hash")
          .select("block")
          .where("class_hash", "=", fixed(classHash))
          .where("block", "<=", fixed(upTo))
          .orderBy("block", "desc")
          .limit(ONE),
    );
    this.#selectRoot = statements.of<[kind: number, contract: number, block: number]>()(
      (db, [kind, contract, block]) =>
        db
          .selectFrom("trie_root")
          .select(["node_id", "hash"])
          .where("kind", "=", kind)
          .where("contract", "=", contract)
          .where("block", "=", block),
    );
    this.#selectRemoved = statements.of<[block: number]>()((db, [block]) =>
      db.selectFrom("trie_removed").select("ids").where("block", "=", block),
    );
  }

  contractId(address: bigint): number | undefined {
    const row = this.#selectContract.get(blobFromUint(address));
    return row === undefined ? undefined : Number(row.id);
  }

  storage(contract: number, key: bigint, block: number): bigint | undefined {
    return valueOf(this.#selectStorage.get(contract, blobFromUint(key), block)?.value);
  }

  nonce(contract: number, block: number): bigint | undefined {
    return valueOf(this.#selectNonce.get(contract, block)?.nonce);
  }

  classHash(contract: number, block: number): bigint | undefined {
    return valueOf(this.#selectClassHash.get(contract, block)?.class_hash);
  }

  compiledClassHash(classHash: bigint, block: number): bigint | undefined {
    const row = this.#selectCompiled.get(blobFromUint(classHash), block);
    return valueOf(row?.compiled_class_hash);
  }

  /** Returns the last block up to `upTo` with a row of a storage variable. */
  newestStorage(contract: number, key: bigint, upTo: number): number | undefined {
    return blockOf(this.#newestStorage.get(contract, blobFromUint(key), upTo));
  }

  /** Same as {@link newestStorage}, for a nonce. */
  newestNonce(contract: number, upTo: number): number | undefined {
    return blockOf(this.#newestNonce.get(contract, upTo));
  }

  /** Same as {@link newestStorage}, for a contract's class hash. */
  newestClassHash(contract: number, upTo: number): number | undefined {
    return blockOf(this.#newestClassHash.get(contract, upTo));
  }

  /** Same as {@link newestStorage}, for a compiled class hash. */
  newestCompiledClassHash(classHash: bigint, upTo: number): number | undefined {
    return blockOf(this.#newestCompiled.get(blobFromUint(classHash), upTo));
  }

  /** Returns the root that a block wrote for a trie; `contract` is 0 for the global ones. */
  root(kind: keyof typeof TRIE_KINDS, contract: number, block: number): TrieRootRow | undefined {
    const row = this.#selectRoot.get(TRIE_KINDS[kind], contract, block);
    if (row === undefined) return undefined;
    return { nodeId: Number(row.node_id), hash: uintFromBlob(row.hash) };
  }

  /**
   * Returns the ids of the nodes that a block removed.
   *
   * @throws {DecodeError} when the row is damaged
   */
  removed(block: number): number[] {
    const row = this.#selectRemoved.get(block);
    return row === undefined ? [] : unpackIds(row.ids);
  }
}

function valueOf(blob: Uint8Array | undefined): bigint | undefined {
  return blob === undefined ? undefined : uintFromBlob(blob);
}

function blockOf(row: { readonly block: bigint } | undefined): number | undefined {
  return row === undefined ? undefined : Number(row.block);
}
