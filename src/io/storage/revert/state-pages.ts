import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { fixed } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";

/** Rows per page; a page takes a few MiB of memory. */
const PAGE = 4096;

/** Contract that was ever written to. */
export interface KnownContract {
  readonly address: Felt;
  readonly id: number;
}

/** Iterates over the newest state in pages, because it may be larger than memory. */
export class StatePages {
  readonly #countContracts;
  readonly #selectContracts;
  readonly #selectSlots;
  readonly #selectClasses;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#countContracts = statements.of<[]>()((db) =>
      db.selectFrom("contract").select((contract) => contract.fn.countAll<bigint>().as("count")),
    );
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
    this.#selectSlots = statements.of<[contract: number, from: Uint8Array, count: number]>()(
      (db, [contract, from, count]) =>
        db
          .selectFrom("contract_storage")
          .select(["key", "value", (slot) => slot.fn.max("block").as("block")])
          .where("contract", "=", fixed(contract))
          .where("key", ">=", fixed(from))
          .groupBy("key")
          .orderBy("key")
          .limit(count),
    );
    this.#selectClasses = statements.of<[from: Uint8Array, count: number]>()((db, [from, count]) =>
      db
        .selectFrom("compiled_class_hash")
        .select([
          "class_hash",
          "compiled_class_hash",
          (version) => version.fn.max("block").as("block"),
        ])
        .where("class_hash", ">=", fixed(from))
        .groupBy("class_hash")
        .orderBy("class_hash")
        .limit(count),
    );
  }

  countContracts(): number {
    return Number(this.#countContracts.get()?.count ?? 0);
  }

  /** Iterates over all contracts that were ever written to, including by reverted blocks. */
  *contracts(): Generator<KnownContract> {
    const rows = paged(
      (from) => this.#selectContracts.all(from, PAGE),
      (row) => row.address,
    );
    for (const row of rows) yield { address: uintFromBlob(row.address), id: Number(row.id) };
  }

  /** Iterates over storage variables of a contract with their newest values. */
  *slots(contract: number): Generator<readonly [key: Felt, value: Felt]> {
    const rows = paged(
      (from) => this.#selectSlots.all(contract, from, PAGE),
      (row) => row.key,
    );
    for (const row of rows) yield [uintFromBlob(row.key), uintFromBlob(row.value)];
  }

  /** Iterates over Sierra classes with their newest compiled class hashes. */
  *classes(): Generator<readonly [classHash: Felt, compiledClassHash: Felt]> {
    const rows = paged(
      (from) => this.#selectClasses.all(from, PAGE),
      (row) => row.class_hash,
    );
    for (const row of rows) {
      yield [uintFromBlob(row.class_hash), uintFromBlob(row.compiled_class_hash)];
    }
  }
}

/**
 * Yields rows in ascending order of a blob, without duplicates; each page starts with the last row of the
 * previous one.
 */
function* paged<T>(
  select: (from: Uint8Array) => readonly T[],
  keyOf: (row: T) => Uint8Array,
): Generator<T> {
  let last: Uint8Array | undefined;
  for (;;) {
    const rows = select(last ?? blobFromUint(0n));
    yield* last === undefined ? rows : rows.slice(1);
    const newest = rows.at(-1);
    if (newest === undefined || rows.length < PAGE) return;
    last = keyOf(newest);
  }
}
