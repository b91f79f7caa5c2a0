import { expect, test } from "bun:test";
import {
  casmJsonFromClass,
  casmClassFromJson,
  compiledClassHash,
  encodeContractClass,
} from "#protocol/chain/index.ts";
import type { SnapshotClass } from "#io/storage/index.ts";
import type { Compilation } from "#services/replay/index.ts";
import { checkClass } from "#services/snapshot/check-class.ts";
import { renamedClass } from "#test/helpers/declare-world.ts";

const { classHash, contractClass, casmJson } = renamedClass("account", "of a snapshot");
const casm = casmClassFromJson(casmJson ?? "");
/** The same code with other hints, which no hash covers. */
const otherHints = { ...casm, hints: new Map() };

const declared: SnapshotClass = {
  classHash,
  contractClass: encodeContractClass(contractClass),
  casmJson: casmJsonFromClass(otherHints),
  compiledClassHash: compiledClassHash(casm, "poseidon"),
  declaredAtBlock: 0,
};

const check = (row: SnapshotClass, compilation: Compilation, trustsCasm: boolean) =>
  checkClass("classes-000000.bin", row, {
    compiler: { compile: async () => compilation },
    trustsCasm,
  }).then(
    ({ casmJson: found }) => found,
    (error: { readonly code: string; readonly message: string }) => error,
  );

const OWN = { kind: "compiled", casm } as const;
const FAILED = { kind: "failed", reason: "SIERRA: no such libfunc" } as const;

test("uses our compiler's code, because no hash covers the snapshot's hints", async () => {
  for (const hash of ["poseidon", "blake"] as const) {
    const row = { ...declared, compiledClassHash: compiledClassHash(casm, hash) };
    expect(await check(row, OWN, false)).toBe(casmJsonFromClass(casm));
    expect(await check(row, OWN, true)).toBe(casmJsonFromClass(casm));
  }
});

test("uses the snapshot's code only on request and with the right hash", async () => {
  expect(await check(declared, FAILED, true)).toBe(declared.casmJson);
  const refused = await check(declared, FAILED, false);
  expect(refused).toMatchObject({ code: "STORAGE_SNAPSHOT_WRONG" });
  for (const wrong of [{ compiledClassHash: 5n }, { casmJson: "{" }, { casmJson: null }]) {
    const found = await check({ ...declared, ...wrong }, FAILED, true);
    expect(found).toMatchObject({ code: "STORAGE_SNAPSHOT_WRONG" });
  }
});

test("does not blame the snapshot for an unfinished compilation", async () => {
  const late = { kind: "unfinished", reason: "compiling took longer than 60 s" } as const;
  const found = await check(declared, late, false);
  expect(found).toMatchObject({ code: "NODE_COMPILER_FAILED" });
  expect(await check(declared, late, true)).toBe(declared.casmJson);
});
