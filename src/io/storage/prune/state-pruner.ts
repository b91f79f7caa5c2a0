import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint } from "../blob.ts";
import { META, type MetaTables } from "../meta.ts";
import type { ChainSchema } from "../schema/index.ts";
import { classChanges, compiledChanges } from "../state/changes.ts";
import type { StatementFactory } from "../statement.ts";

/** Fixed cost of a block in entries: reading and decompressing its diff. */
const BLOCK_COST = 8;

/** Lookups of a state pruner in other tables. */
export interface StatePrunerSources {
  readonly meta: MetaTables;
  readonly stateDiff: (blockNumber: number) => StateDiff;
  readonly contractId: (address: Felt) => number | undefined;
}

/**
 * Deletes versions of the state that no kept block needs: versions superseded at or before the oldest kept
 * block. Needs an open transaction.
 */
export class StatePruner {
  readonly #sources: StatePrunerSources;
  readonly #deleteStorage;
  readonly #deleteNonce;
  readonly #deleteClassHash;
  readonly #deleteCompiledClassHash;

  constructor(statements: StatementFactory<ChainSchema>, sources: StatePrunerSources) {
    this.#sources = sources;
    type ByContract = [contract: number, block: number];
    this.#deleteStorage = statements.of<[contract: number, key: Uint8Array, block: number]>()(
      (db, [contract, key, block]) =>
        db
          .deleteFrom("contract_storage")
          .where("contract", "=", contract)
          .where("key", "=", key)
          .where("block", "<", block),
    );
    this.#deleteNonce = statements.of<ByContract>()((db, [contract, block]) =>
      db.deleteFrom("contract_nonce").where("contract", "=", contract).where("block", "<", block),
    );
    this.#deleteClassHash = statements.of<ByContract>()((db, [contract, block]) =>
      db.deleteFrom("contract_class").where("contract", "=", contract).where("block", "<", block),
    );
    this.#deleteCompiledClassHash = statements.of<[classHash: Uint8Array, block: number]>()(
      (db, [classHash, block]) =>
        db
          .deleteFrom("compiled_class_hash")
          .where("class_hash", "=", classHash)
          .where("block", "<", block),
    );
  }

  /**
   * Deletes versions that only blocks below `oldestBlock` need.
   *
   * @returns whether anything is left to delete
   */
  prune(oldestBlock: number, portion: number): boolean {
    const { meta, stateDiff } = this.#sources;
    // Block 0 supersedes nothing.
    const known = meta.number(META.prunedStateBlock) ?? 0;
    let done = known;
    let skipped = meta.number(META.prunedStateEntries) ?? 0;
    let left = portion;
    while (done < oldestBlock && left > 0) {
      const entries = this.#deletionsOf(stateDiff(done + 1), done + 1);
      let position = 0;
      for (const deleteOlder of entries) {
        if (position++ < skipped) continue;
        if (left-- <= 0) break;
        deleteOlder();
        skipped = position;
      }
      if (skipped < position) break;
      done++;
      skipped = 0;
      left -= BLOCK_COST;
    }
    if (done > known) meta.setNumber(META.prunedStateBlock, done);
    meta.setNumber(META.prunedStateEntries, skipped);
    return done < oldestBlock;
  }

  /** Yields one deletion per entry of a state diff, always in the same order. */
  *#deletionsOf(diff: StateDiff, block: number): Generator<() => void> {
    const { contractId } = this.#sources;
    for (const [address, entries] of diff.storageDiffs) {
      const id = contractId(address);
      if (id === undefined) continue;
      for (const key of entries.keys()) {
        yield () => this.#deleteStorage.run(id, blobFromUint(key), block);
      }
    }
    for (const address of diff.nonces.keys()) {
      const id = contractId(address);
      if (id !== undefined) yield () => this.#deleteNonce.run(id, block);
    }
    for (const address of classChanges(diff).keys()) {
      const id = contractId(address);
      if (id !== undefined) yield () => this.#deleteClassHash.run(id, block);
    }
    for (const classHash of compiledChanges(diff).keys()) {
      yield () => this.#deleteCompiledClassHash.run(blobFromUint(classHash), block);
    }
  }
}
