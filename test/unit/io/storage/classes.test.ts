import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { BundledClass } from "#protocol/chain/bundle/bundled-class.ts";
import {
  casmClassFromJson,
  EMPTY_STATE_DIFF,
  legacyExecutableFromJson,
  sierraClassFromJson,
  type SierraExecutable,
} from "#protocol/chain/index.ts";
import {
  type ChainWriter,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const CLASS_HASH = 0xc1a55n;
const LEGACY: BundledClass = {
  classHash: 0x1e9n,
  contractClass: { kind: "legacy", json: '{"abi": [], "program": {}}' },
  casmJson: null,
};

let folder: TemporaryFolder;
let handle: DatabaseHandle;
let writer: ChainWriter;
let reader: StoredChainReader;

beforeEach(async () => {
  folder = temporaryFolder();
  const path = folder.file("chain.db");
  handle = await openDatabase({ path, chainId: "T", mode: "writer", durability: "normal" });
  writer = createChainWriter(handle);
  reader = createChainReader(handle);
  writer.commitBlock(blockCommit(0));
});

afterEach(() => {
  handle.close();
  folder[Symbol.dispose]();
});

function goldenClass(): BundledClass {
  const text = (kind: string) =>
    readFileSync(fixturePath("casm-golden", `02f4bd29df5b.${kind}.json`), "utf8");
  return {
    classHash: CLASS_HASH,
    contractClass: sierraClassFromJson(text("sierra")),
    casmJson: text("casm"),
  };
}

function declare(declared: BundledClass): void {
  const declaredClasses = new Map([[declared.classHash, 0xcafen]]);
  const stateDiff = { ...EMPTY_STATE_DIFF, declaredClasses };
  writer.commitBlock(blockCommit(1, { classes: [declared], stateDiff }));
}

describe("a declared Sierra class", () => {
  sharedTest("is executable from its block on, with the sizes for the fee", () => {
    const golden = goldenClass();
    declare(golden);
    expect(reader.stateAt(0).executableClass(CLASS_HASH)).toBeUndefined();
    const executable = reader.stateAt(1).executableClass(CLASS_HASH);
    const sierra = golden.contractClass;
    if (sierra.kind !== "sierra") throw new TypeError("the fixture is a Sierra class");
    expect(executable?.casm).toEqual(casmClassFromJson(golden.casmJson ?? ""));
    expect((executable as SierraExecutable).sierraProgramLength).toBe(sierra.sierraProgram.length);
    expect(executable?.abiLength).toBe(sierra.abi.length);
    expect((executable as SierraExecutable).sierraVersion.map(BigInt)).toEqual(
      sierra.sierraProgram.slice(0, 3),
    );
    expect(reader.stateAt(1).compiledClassHashOf(CLASS_HASH)).toBe(0xcafen);
  });

  sharedTest("is decoded once", () => {
    declare(goldenClass());
    const first = reader.stateAt(1).executableClass(CLASS_HASH);
    expect(reader.stateAt(1).executableClass(CLASS_HASH)).toBe(first as typeof first & {});
  });

  sharedTest("disappears when its block is reverted, also from the cache", () => {
    declare(goldenClass());
    reader.stateAt(1).executableClass(CLASS_HASH);
    writer.revertTo(0);
    writer.commitBlock(blockCommit(1));
    expect(reader.stateAt(1).executableClass(CLASS_HASH)).toBeUndefined();
    expect(reader.casm(CLASS_HASH)).toBeUndefined();
  });

  sharedTest("keeps its definition and compiled text unchanged", () => {
    const golden = goldenClass();
    declare(golden);
    expect(reader.declaredClass(CLASS_HASH)).toEqual({
      contractClass: golden.contractClass,
      declaredAtBlock: 1,
    });
    expect(reader.casm(CLASS_HASH)?.casmJson).toBe(golden.casmJson ?? "");
    expect(reader.bundle(1)?.classes).toEqual([golden]);
  });
});

describe("a Cairo 0 class", () => {
  test("has a definition and no compiled code", () => {
    writer.commitBlock(blockCommit(1, { classes: [LEGACY] }));
    expect(reader.declaredClass(LEGACY.classHash)?.contractClass).toEqual(LEGACY.contractClass);
    expect(reader.casm(LEGACY.classHash)).toBeUndefined();
    expect(reader.stateAt(1).executableClass(LEGACY.classHash)).toBeUndefined();
  });

  sharedTest("is executable if a machine can run it", () => {
    const file = fixturePath("classes/pathfinder-gateway/dummy_account.json");
    const contractClass = { kind: "legacy", json: readFileSync(file, "utf8") } as const;
    writer.commitBlock(blockCommit(1, { classes: [{ ...LEGACY, contractClass }] }));
    const executable = reader.stateAt(1).executableClass(LEGACY.classHash);
    expect(executable).toEqual(legacyExecutableFromJson(contractClass.json, LEGACY.classHash));
    expect(reader.stateAt(0).executableClass(LEGACY.classHash)).toBeUndefined();
  });

  test("keeps its first block when it is declared again", () => {
    writer.commitBlock(blockCommit(1, { classes: [LEGACY] }));
    writer.commitBlock(blockCommit(2, { classes: [LEGACY] }));
    expect(reader.declaringBlocks().filter((number) => number > 0)).toEqual([1]);
    expect(reader.declaredClass(LEGACY.classHash)?.declaredAtBlock).toBe(1);
  });
});
