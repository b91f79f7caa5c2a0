import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeContractClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { answerCommand } from "#app/node/compiler/answer-command.ts";
import { ChildArchive } from "#app/node/compiler/child-archive.ts";
import {
  type CompileCommand,
  decodeAnswer,
  decodeCommand,
  encodeAnswer,
  encodeCommand,
} from "#app/node/compiler/compiler-messages.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const ROOT = join(import.meta.dir, "../../../../..");
const small = sierraClassFromJson(
  readFileSync(join(ROOT, "contracts/l2/universal_deployer.sierra.json"), "utf8"),
);
const classBytes = encodeContractClass(small);

let folder: TemporaryFolder;
let archive: ChildArchive;
let told: string[];

beforeEach(() => {
  folder = temporaryFolder();
  told = [];
  archive = new ChildArchive((line) => void told.push(line));
});
afterEach(() => {
  archive.close();
  folder[Symbol.dispose]();
});

/** The child's response to a command; by default it compiles a small class without an archive. */
const answer = (command: Partial<CompileCommand> = {}) =>
  answerCommand(
    encodeCommand({
      archive: null,
      classHash: 7n,
      maxBytecodeSize: 81_920,
      classBytes,
      ...command,
    }),
    archive,
  );

test("rejects a class above the bytecode limit and names the limit", async () => {
  const refused = await answer({ maxBytecodeSize: 100 });
  expect(refused).toMatchObject({ kind: "failed", code: "CASM_TOO_LARGE" });
  expect(refused.kind === "failed" && refused.message).toContain("100");
});

test("responds to malformed bytes", async () => {
  const legacy = encodeContractClass({ kind: "legacy", json: "{}" });
  const cut = classBytes.subarray(0, 1000);
  for (const broken of [new Uint8Array(), new Uint8Array(50).fill(255), legacy, cut]) {
    expect(await answer({ classBytes: broken })).toMatchObject({
      kind: "failed",
      code: "DECODE_FAILED",
    });
  }
  expect(await answerCommand(new Uint8Array(), archive)).toMatchObject({ kind: "failed" });
});

describe("a class that was compiled before", () => {
  const MARKED = { casmJson: "{}", bytecodeLength: 3, hashes: { poseidon: 1n, blake: 2n } };
  const place = () => ({ path: folder.file("compiled.db"), chainId: "TEST" });

  test("is not compiled again", async () => {
    await archive.open(place());
    archive.put(7n, MARKED);
    expect(await answer({ archive: place() })).toEqual({ kind: "compiled", compiled: MARKED });
    // The class is not even decoded.
    expect(await answer({ archive: place(), classBytes: new Uint8Array() })).toMatchObject({
      kind: "compiled",
    });
  });

  test("is stored under its hash", async () => {
    const first = await answer({ archive: place(), classHash: 8n });
    if (first.kind !== "compiled") throw new TypeError("not compiled");
    expect(archive.get(8n)).toEqual(first.compiled);
    expect(archive.get(7n)).toBeUndefined();
  });

  test("is compiled again without an archive", async () => {
    expect(await answer()).toEqual(await answer({ archive: place() }));
  });

  test("is not stored if it was rejected", async () => {
    expect(await answer({ archive: place(), maxBytecodeSize: 100 })).toMatchObject({
      kind: "failed",
    });
    expect(await answer({ archive: place() })).toMatchObject({ kind: "compiled" });
  });

  test("is compiled even if the archive's database is broken", async () => {
    writeFileSync(place().path, "no database".repeat(100));
    expect(await answer({ archive: place() })).toEqual(await answer());
    expect(told).toEqual([expect.stringContaining("compiled classes are not stored")]);
  });
});

describe("compiler messages", () => {
  test("round-trip a response", () => {
    for (const each of [
      { kind: "failed", code: "A", message: "b" },
      {
        kind: "compiled",
        compiled: {
          casmJson: '{"é":1}',
          bytecodeLength: 81_920,
          hashes: { poseidon: 5n, blake: 6n },
        },
      },
    ] as const) {
      expect(decodeAnswer(encodeAnswer(each))).toEqual(each);
    }
  });

  test("round-trip a command", () => {
    for (const place of [null, { path: "/é/compiled.db", chainId: "SN_TEST" }]) {
      const command = { archive: place, classHash: 1n << 250n, maxBytecodeSize: 300, classBytes };
      expect(decodeCommand(encodeCommand(command))).toEqual(command);
    }
  });
});
