import { describe, expect, test } from "bun:test";
import {
  type CasmClass,
  casmJsonFromClass,
  compiledClassHash,
  emptyStateDiff,
  encodeContractClass,
  type MutableStateDiff,
  type SierraClass,
} from "#protocol/chain/index.ts";
import type { DeclaredClassHash, SyncCompiled } from "#services/sync/index.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { syncWorld, type SyncWorldOptions } from "#test/helpers/sync-world.ts";

const NONE = { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] };
const SIERRA: SierraClass = {
  kind: "sierra",
  sierraProgram: [1n, 7n, 0n, 5n],
  contractClassVersion: "0.1.0",
  entryPoints: NONE,
  abi: "[]",
};
const CLASS = 0xc1a55n;

function casm(...bytecode: bigint[]): CasmClass {
  return {
    prime: 2n ** 251n + 17n * 2n ** 192n + 1n,
    compilerVersion: "2.12.0",
    bytecode,
    bytecodeSegmentLengths: null,
    hints: new Map(),
    entryPoints: NONE,
  };
}

const OURS = casm(1n, 2n, 3n);
const OLDER = casm(1n, 2n);
const compiled = (code: CasmClass): Pick<SyncCompiled, "casmJson" | "reason"> => ({
  casmJson: casmJsonFromClass(code),
  reason: null,
});
const sierra = (compiledHash: bigint | null): DeclaredClassHash => ({
  classHash: CLASS,
  compiledClassHash: compiledHash,
  migratedHash: null,
});

function declaring(code: CasmClass): { diff: MutableStateDiff; hash: bigint } {
  const diff = emptyStateDiff();
  // Blocks of the fake chain are of a version that hashes code with Poseidon.
  const hash = compiledClassHash(code, "poseidon");
  diff.declaredClasses.set(CLASS, hash);
  return { diff, hash };
}

/** A chain of three blocks and one that declares a class with this code. */
function chainWith(code: CasmClass): SourceChain {
  const chain = new SourceChain().grow(3);
  const { diff, hash } = declaring(code);
  chain.add({ stateDiff: diff, classes: [sierra(hash)] });
  return chain;
}

async function world(chain: SourceChain, options: SyncWorldOptions = {}) {
  const made = await syncWorld(chain, { compile: () => compiled(OURS), ...options });
  made.source.classes.set(CLASS, "sierra");
  const encoded = {
    classHash: CLASS,
    contractClass: encodeContractClass(SIERRA),
    casmJson: null,
  };
  made.verifier.checkClass = ({ declared }) =>
    Promise.resolve(
      declared.compiledClassHash === null
        ? {
            kind: "refused",
            refusal: { check: "class_hash", blockNumber: 0, message: "it is one of Sierra" },
          }
        : { kind: "checked", encoded },
    );
  const refused = () => made.messagesOf("refused").map(({ refusal }) => refusal);
  return { ...made, refused };
}

describe("a class that a block declares", () => {
  test("is compiled locally and stored with the block", async () => {
    const { until, latest, folder, messagesOf, close } = await world(chainWith(OURS));
    expect(await until(() => latest() === 3)).toBe(true);
    expect(folder.reader.declaredClass(CLASS)).toEqual({
      contractClass: SIERRA,
      declaredAtBlock: 3,
    });
    expect(folder.reader.casm(CLASS)?.casmJson).toBe(casmJsonFromClass(OURS));
    expect(messagesOf("compile").map(({ classHash }) => classHash)).toEqual([CLASS]);
    await close();
  });

  test("is refused if our compiler produces other code, with the remedy", async () => {
    const { pass, latest, refused, close } = await world(chainWith(OLDER));
    await pass(5_000);
    expect(latest()).toBe(2);
    expect(refused()).toMatchObject([{ check: "compiled_class_hash", blockNumber: 3 }]);
    expect(refused()[0]?.message).toContain("--trust-casm");
    await close();
  });

  test("is accepted with the gateway's code if that is trusted and has the declared hash", async () => {
    const options = { settings: { trustsCasm: true } };
    const { pass, until, latest, refused, source, folder, close } = await world(
      chainWith(OLDER),
      options,
    );
    source.compiled.set(CLASS, casmJsonFromClass(casm(9n)));
    await pass(3_000);
    expect([latest(), refused()[0]?.check]).toEqual([2, "compiled_class_hash"]);
    source.compiled.set(CLASS, casmJsonFromClass(OLDER));
    expect(await until(() => latest() === 3)).toBe(true);
    expect(folder.reader.casm(CLASS)?.casmJson).toBe(casmJsonFromClass(OLDER));
    await close();
  });

  test("is refused with the reason if it does not compile, and requested again", async () => {
    let isBroken = true;
    const compile = () =>
      isBroken ? { casmJson: null, reason: "no such libfunc" } : compiled(OURS);
    const { pass, until, latest, refused, close } = await world(chainWith(OURS), { compile });
    await pass(3_000);
    expect([latest(), refused()[0]?.message.includes("no such libfunc")]).toEqual([2, true]);
    isBroken = false;
    expect(await until(() => latest() === 3)).toBe(true);
    expect(refused().at(-1)).toBeNull();
    await close();
  });

  test("is refused by name if the gateway does not have it", async () => {
    const { pass, latest, refused, source, close } = await world(chainWith(OURS));
    source.classes.clear();
    await pass(3_000);
    expect([latest(), refused()[0]?.check]).toEqual([2, "class_hash"]);
    expect(refused()[0]?.message).toContain("0xc1a55");
    await close();
  });

  test("and that the next block deploys is accepted as declared", async () => {
    const chain = chainWith(OURS);
    const diff = emptyStateDiff();
    diff.deployedContracts.set(0xadd1n, CLASS);
    chain.add({ stateDiff: diff, classes: [sierra(null)] });
    const { until, latest, refused, source, timer, close } = await world(chain);
    // The class arrives after both blocks.
    source.before = (question) =>
      question.startsWith("class")
        ? new Promise((next) => void timer.after(700, next))
        : Promise.resolve();
    expect(await until(() => latest() === 4)).toBe(true);
    expect(refused()).toEqual([]);
    await close();
  });
});

describe("a class that a block migrates", () => {
  const migrating = (hash: bigint): SourceChain => {
    const chain = chainWith(OURS);
    const diff = emptyStateDiff();
    diff.migratedCompiledClasses.set(CLASS, hash);
    chain.add({ stateDiff: diff });
    return chain;
  };

  test("is accepted with the other hash of the same code", async () => {
    const { until, latest, close } = await world(migrating(compiledClassHash(OURS, "blake")));
    expect(await until(() => latest() === 4)).toBe(true);
    await close();
  });

  test("is refused with the hash of other code", async () => {
    const { pass, latest, refused, close } = await world(
      migrating(compiledClassHash(OLDER, "blake")),
    );
    await pass(5_000);
    expect([latest(), refused()[0]?.check]).toEqual([3, "compiled_class_hash"]);
    expect(refused()[0]?.message).toContain("migrated_compiled_classes");
    await close();
  });
});
