import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ReplayCompiler } from "#services/replay/index.ts";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { lie, other } from "#test/helpers/replay-lies.ts";
import { OWN_COMPILER, replay, replayStory, STORY } from "#test/helpers/replay-world.ts";

let world: DeclareWorld;
let declaredHash: Felt;

beforeAll(async () => {
  world = await replayStory();
  const declared = world.chain.stateDiff(STORY.declare)?.declaredClasses.keys() ?? [];
  [declaredHash = 0n] = [...declared];
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

/** Output of another compiler version: code with another hash. */
const OTHER_COMPILER: ReplayCompiler = {
  async compile(classHash, contractClass) {
    const made = await OWN_COMPILER.compile(classHash, contractClass);
    if (made.kind !== "compiled" || classHash !== declaredHash) return made;
    return { ...made, casm: { ...made.casm, bytecode: made.casm.bytecode.with(0, 0xbadn) } };
  },
};

const FAILING_COMPILER: ReplayCompiler = {
  compile: () => Promise.resolve({ kind: "failed", reason: "it took too long" }),
};

const TRUSTING = { trustsCasm: true };

describe("compiled code of a class", () => {
  test("is compiled locally, so that a node's other hints change nothing", async () => {
    let asked = 0;
    const outcome = await replay(world, STORY.declare, (method, result) => {
      if (method === "starknet_getCompiledCasm") asked++;
      return result;
    });
    expect(outcome).toMatchObject({ kind: "agrees", trustedClasses: [] });
    expect(asked).toBe(0);
  });

  test("with another hash than declared is a difference", async () => {
    expect(await replay(world, STORY.declare, undefined, {}, OTHER_COMPILER)).toMatchObject({
      kind: "differs",
      difference: {
        field: `compiled_class_hash of class ${hexFromFelt(declaredHash)}`,
        ours: expect.stringMatching(/^the hash of the code compiled here \(0x\w+ or 0x\w+\)$/),
        transaction: { index: 12 },
      },
    });
  });

  test("that does not compile is a difference with the reason", async () => {
    expect(await replay(world, STORY.transfers, undefined, {}, FAILING_COMPILER)).toMatchObject({
      kind: "differs",
      difference: {
        field: expect.stringMatching(/^leaf of class 0x\w+ in the classes trie$/),
        ours: "code that cannot be compiled here: it took too long",
      },
    });
  });

  test("is taken from the node if that is trusted, and reported", async () => {
    const outcome = await replay(world, STORY.declare, undefined, TRUSTING, OTHER_COMPILER);
    expect(outcome).toMatchObject({ kind: "agrees", trustedClasses: [declaredHash] });
    const failing = await replay(world, STORY.transfers, undefined, TRUSTING, FAILING_COMPILER);
    expect(failing.kind === "agrees" && failing.trustedClasses.length).toBe(2);
  });

  test("must have the declared hash even if trusted", async () => {
    const tamper = lie("getCompiledCasm", ["bytecode", 0], other);
    expect(await replay(world, STORY.declare, tamper, TRUSTING, FAILING_COMPILER)).toMatchObject({
      kind: "differs",
    });
  });
});
