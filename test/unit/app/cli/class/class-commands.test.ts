import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import artifacts from "../../../../../contracts/l2/artifacts.json" with { type: "json" };
import { casmClassFromJson, compiledClassHash } from "#protocol/chain/index.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { run } from "../run.ts";

/** The deployer compiles and hashes in a fifth of the account's time. */
const NAME = bySize({ quick: "universal_deployer", full: "account" } as const);
const PATH = `contracts/l2/${NAME}.sierra.json`;
const TEXT = readFileSync(PATH, "utf8");
const { classHash, compiledClassHashV1, compiledClassHashV2 } = artifacts[NAME];
const HASHES = [
  `class_hash: ${classHash}`,
  `compiled_class_hash_poseidon: ${compiledClassHashV1}`,
  `compiled_class_hash_blake: ${compiledClassHashV2}`,
].join("\n");

describe("class hash", () => {
  test("prints the class hash and both compiled class hashes", async () => {
    expect(await run(["class", "hash", PATH])).toMatchObject({ code: 0, out: HASHES, err: "" });
    const input = [TEXT.slice(0, 1000), TEXT.slice(1000)];
    expect(await run(["class", "hash", "-"], {}, 0, input)).toMatchObject({ code: 0, out: HASHES });
  }, 60_000);

  test("prints the class hash and the reason for a class that does not compile", async () => {
    const members = JSON.parse(TEXT) as { readonly sierra_program: readonly string[] };
    const program = members.sierra_program.slice(0, members.sierra_program.length / 2);
    const text = JSON.stringify({ ...members, sierra_program: program });
    const { code, out, err } = await run(["class", "hash", "-"], {}, 0, [text]);
    expect(code).toBe(1);
    expect(out).toMatch(/^class_hash: 0x[0-9a-f]+$/);
    expect(err).toMatch(/^error: standard input: the class does not compile: .*damaged/);
  });

  test("names a file that is not a class and prints no hash", async () => {
    const { code, out, err } = await run(["class", "hash", "package.json"]);
    expect([code, out, err]).toEqual([1, "", expect.stringMatching(/^error: package.json: expec/)]);
  });

  test("requires one readable file", async () => {
    for (const [words, part] of [
      [["none.json"], "none.json cannot be read (ENOENT)"],
      [["src"], "src cannot be read (EISDIR)"],
      [[""], "cannot be read"],
      [[], "FILE"],
      [["a", "b"], "b: is not expected here"],
    ] as const) {
      const { code, out, err } = await run(["class", "hash", ...words]);
      expect([code, out, err]).toEqual([2, "", expect.stringContaining(part)]);
    }
  });
});

describe("class compile", () => {
  test("writes a file, and the hashes to standard output", async () => {
    using folder = temporaryFolder();
    const path = folder.file("casm.json");
    const { code, out, err } = await run(["class", "compile", PATH, "--out", path]);
    expect([code, out, err]).toEqual([0, HASHES, ""]);
    const casm = casmClassFromJson(readFileSync(path, "utf8"));
    expect(compiledClassHash(casm, "poseidon")).toBe(BigInt(compiledClassHashV1));
  }, 60_000);

  test("writes to standard output, and the hashes to standard error", async () => {
    for (const words of bySize({ quick: [["--out", "-"]], full: [[], ["--out", "-"]] })) {
      const { code, out, err } = await run(["class", "compile", PATH, ...words]);
      expect([code, err]).toEqual([0, HASHES]);
      const casm = casmClassFromJson(out);
      expect(compiledClassHash(casm, "blake")).toBe(BigInt(compiledClassHashV2));
    }
  }, 60_000);

  test("keeps the old file if the class does not compile", async () => {
    using folder = temporaryFolder();
    const path = folder.file("casm.json");
    writeFileSync(path, "old");
    const limited = ["class", "compile", PATH, "--max-bytecode-size", "100"];
    const { code, out, err } = await run([...limited, "--out", path]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe(`error: ${PATH}: code takes more than 100 felts (--max-bytecode-size 100)`);
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  test("reports that a Cairo 0 class has no Sierra, with its hash", async () => {
    using folder = temporaryFolder();
    const program = {
      prime: "0x800000000000011000000000000000000000000000000000000000000000001",
      data: [],
      builtins: [],
      hints: {},
      identifiers: {},
      reference_manager: { references: [] },
    };
    const entryPoints = { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] };
    const text = JSON.stringify({ abi: [], entry_points_by_type: entryPoints, program });
    writeFileSync(folder.file("old.json"), text);
    const out = folder.file("casm.json");
    const compiled = await run(["class", "compile", folder.file("old.json"), "--out", out]);
    expect([compiled.code, compiled.out, existsSync(out)]).toEqual([1, "", false]);
    expect(compiled.err).toContain("a Cairo 0 class needs no compilation");
    const hashed = await run(["class", "hash", folder.file("old.json")]);
    expect([hashed.code, hashed.err]).toEqual([0, expect.stringContaining("no Sierra")]);
    expect(compiled.err).toContain(hashed.out.replace("class_hash: ", "is "));
  });

  test("does not read a class if the result cannot be written", async () => {
    const { code, err } = await run(["class", "compile", "none.json", "--out", "none/casm.json"]);
    expect([code, err]).toEqual([1, "error: none/casm.json cannot be written (ENOENT)"]);
  });

  test("refuses a limit of zero", async () => {
    const { code, err } = await run(["class", "compile", PATH, "--max-bytecode-size", "0"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--max-bytecode-size: expected")]);
  });
});
