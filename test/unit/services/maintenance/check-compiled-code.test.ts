import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { compileClass } from "#engine/sierra/index.ts";
import type { CasmClass } from "#protocol/chain/index.ts";
import type { Recompile } from "#services/maintenance/index.ts";
import { checkFolder } from "#test/helpers/check-folder.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain } from "#test/helpers/true-chain.ts";

let folder: TemporaryFolder;
/** Chain database with the classes of a development chain. */
let path: string;

beforeAll(async () => {
  folder = temporaryFolder();
  await makeTrueChain(folder.file("chain"), { blocks: 0 });
  path = folder.file("chain/chain.db");
});
afterAll(() => folder[Symbol.dispose]());

/** A copy of the database, changed by a statement. */
function changed(sql: string): string {
  const copy = folder.file("changed.db");
  copyFileSync(path, copy);
  using database = new Database(copy);
  database.run("pragma journal_mode = delete");
  database.run(sql);
  return copy;
}

const recompile: Recompile = (contractClass) =>
  compileClass(contractClass, { maxBytecodeSize: Infinity });

/** Code that belongs to no class. */
const SMALL_CASM: CasmClass = {
  prime: FIELD_PRIME,
  compilerVersion: "2.0.0",
  bytecode: [1n],
  bytecodeSegmentLengths: null,
  hints: new Map(),
  entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
};

/** Changes one hint of a stored class. @returns its new values in hexadecimal */
function withOtherHint(file: string) {
  using database = new Database(file);
  const [row] = database
    .query<{ hash: Uint8Array; casm: Uint8Array }, []>(
      "select hash, casm from class where casm is not null",
    )
    .all();
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(row?.casm ?? new Uint8Array()));
  const other = text.replace(/"TestLessThan(OrEqual)?"/, '"TestLessThanOrEqualAddress"');
  expect(other).not.toBe(text);
  const casm = Bun.zstdCompressSync(other);
  const hash = row?.hash ?? new Uint8Array();
  database.query("update class set casm = ? where hash = ?").run(casm, hash);
  const sha256 = new Bun.CryptoHasher("sha256").update(casm).digest("hex");
  return { sha256, casm: casm.toHex(), classHash: hash.toHex() };
}

describe("a difference of compiled code", () => {
  test("is found in stored hints, even if all hashes match", async () => {
    const copy = changed("select 1");
    const { sha256, casm, classHash } = withOtherHint(copy);
    expect((await checkFolder(copy, null)).difference).toMatchObject({
      blockNumber: 0,
      table: "class",
      field: "casm_digest",
    });
    // A forged digest is found by compiling the class.
    const forged = changed(
      `update class set casm = x'${casm}', casm_digest = x'${sha256}' where hash = x'${classHash}'`,
    );
    expect((await checkFolder(forged, null)).difference).toBeUndefined();
    expect((await checkFolder(forged, null, { recompile })).difference).toMatchObject({
      blockNumber: 0,
      table: "class",
      field: "hints of casm",
    });
  }, 60_000);

  test("is not reported if another compiler produces other code", async () => {
    const none = await checkFolder(path, null, { recompile });
    expect(none).toMatchObject({ difference: undefined, recompiled: none.classes });
    expect(none.classes).toBeGreaterThan(1);
    const others = [() => undefined, () => ({ ...SMALL_CASM })];
    for (const other of others) {
      const result = await checkFolder(path, null, { recompile: other });
      expect(result).toMatchObject({ difference: undefined, recompiled: 0 });
    }
  }, 60_000);
});
