import { type BundledClass, encodeContractClass, sierraVersionOf } from "#protocol/chain/index.ts";
import { blobFromUint } from "../blob.ts";
import type { ChainSchema } from "../schema/index.ts";
import type { StatementFactory } from "../statement.ts";
import { casmDigest } from "./digest.ts";
import { packVersion } from "./version.ts";

const encoder = new TextEncoder();

/** Writes classes. Every method needs an open transaction. */
export class ClassWriter {
  readonly #insert;
  readonly #deleteAbove;

  constructor(statements: StatementFactory<ChainSchema>) {
    type Blob = Uint8Array | null;
    type Row = [Uint8Array, number, Uint8Array, Blob, Blob, number, number, number];
    this.#insert = statements.of<Row>()(
      (db, [hash, block, definition, casm, digest, version, length, abi]) =>
        db
          .insertInto("class")
          .values({
            hash,
            declared_block: block,
            definition,
            casm,
            casm_digest: digest,
            sierra_version: version,
            sierra_program_length: length,
            abi_length: abi,
          })
          .onConflict((conflict) => conflict.column("hash").doNothing()),
    );
    this.#deleteAbove = statements.of<[block: number]>()((db, [block]) =>
      db.deleteFrom("class").where("declared_block", ">", block),
    );
  }

  /** Stores a class; the first declaration of a hash stays. */
  insert(declared: BundledClass, blockNumber: number): void {
    const { contractClass, casmJson } = declared;
    const isSierra = contractClass.kind === "sierra";
    const casm = casmJson === null ? null : Bun.zstdCompressSync(encoder.encode(casmJson));
    this.#insert.run(
      blobFromUint(declared.classHash),
      blockNumber,
      Bun.zstdCompressSync(encodeContractClass(contractClass)),
      casm,
      casm === null ? null : casmDigest(casm),
      isSierra ? packVersion(sierraVersionOf(contractClass)) : 0,
      isSierra ? contractClass.sierraProgram.length : 0,
      isSierra ? encoder.encode(contractClass.abi).length : 0,
    );
  }

  deleteAbove(blockNumber: number): void {
    this.#deleteAbove.run(blockNumber);
  }
}
