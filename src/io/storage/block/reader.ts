import { type BlockHeader, decodeHeader } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { blobFromUint, uintFromBlob } from "../blob.ts";
import { fixed, ONE } from "../chain-statements.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";

/** Row of a block with encoded parts. */
export interface EncodedBlock {
  readonly header: Uint8Array;
  readonly signature: { readonly r: Felt; readonly s: Felt };
  readonly epoch: number;
  readonly inputs: Uint8Array;
}

/** Newest block, reduced to the values that the writer needs. */
export interface BlockTip {
  readonly number: number;
  readonly hash: Felt;
  readonly lastNodeId: number;
}

/** Reads blocks without their transactions. */
export class BlockReader {
  readonly #selectLatest;
  readonly #selectTip;
  readonly #selectHeader;
  readonly #selectRow;
  readonly #selectByHash;
  readonly #selectStateDiff;
  readonly #selectHash;

  constructor(statements: StatementFactory<ChainSchema>) {
    this.#selectLatest = statements.of<[]>()((db) =>
      db.selectFrom("block").select("number").orderBy("number", "desc").limit(ONE),
    );
    this.#selectTip = statements.of<[maxNumber: number]>()((db, [maxNumber]) =>
      db
        .selectFrom("block")
        .select(["number", "hash", "last_node_id"])
        .where("number", "<=", fixed(maxNumber))
        .orderBy("number", "desc")
        .limit(ONE),
    );
    this.#selectHeader = statements.of<[number: number]>()((db, [number]) =>
      db.selectFrom("block").select("header").where("number", "=", number),
    );
    this.#selectRow = statements.of<[number: number]>()((db, [number]) =>
      db
        .selectFrom("block")
        .select(["header", "signature_r", "signature_s", "epoch", "inputs"])
        .where("number", "=", number),
    );
    this.#selectByHash = statements.of<[hash: Uint8Array]>()((db, [hash]) =>
      db.selectFrom("block").select("number").where("hash", "=", hash),
    );
    this.#selectStateDiff = statements.of<[number: number]>()((db, [number]) =>
      db.selectFrom("block_state_diff").select("diff").where("block", "=", number),
    );
    this.#selectHash = statements.of<[number: number]>()((db, [number]) =>
      db.selectFrom("block").select("hash").where("number", "=", number),
    );
  }

  latestNumber(): number | undefined {
    const row = this.#selectLatest.get();
    return row === undefined ? undefined : Number(row.number);
  }

  /** Returns the newest block at or below `maxNumber`. */
  tip(maxNumber: number): BlockTip | undefined {
    const row = this.#selectTip.get(maxNumber);
    if (row === undefined) return undefined;
    return {
      number: Number(row.number),
      hash: uintFromBlob(row.hash),
      lastNodeId: Number(row.last_node_id),
    };
  }

  header(blockNumber: number): BlockHeader | undefined {
    const row = this.#selectHeader.get(blockNumber);
    return row === undefined ? undefined : decodeHeader(row.header);
  }

  encoded(blockNumber: number): EncodedBlock | undefined {
    const row = this.#selectRow.get(blockNumber);
    if (row === undefined) return undefined;
    return {
      header: row.header,
      signature: { r: uintFromBlob(row.signature_r), s: uintFromBlob(row.signature_s) },
      epoch: Number(row.epoch),
      inputs: row.inputs,
    };
  }

  numberByHash(blockHash: Felt): number | undefined {
    const row = this.#selectByHash.get(blobFromUint(blockHash));
    return row === undefined ? undefined : Number(row.number);
  }

  stateDiffBytes(blockNumber: number): Uint8Array | undefined {
    const row = this.#selectStateDiff.get(blockNumber);
    return row === undefined ? undefined : Bun.zstdDecompressSync(row.diff);
  }

  hashBytes(blockNumber: number): Uint8Array | undefined {
    return this.#selectHash.get(blockNumber)?.hash;
  }
}
