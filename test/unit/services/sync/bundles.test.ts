import { describe, expect, test } from "bun:test";
import {
  type CasmClass,
  casmJsonFromClass,
  compiledClassHash,
  emptyStateDiff,
  encodeContractClass,
  type EncodedClass,
} from "#protocol/chain/index.ts";
import { OtherChainFollowed } from "#services/sync/refusal.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { syncWorld, type SyncWorldOptions } from "#test/helpers/sync-world.ts";

const STORE = { sourceName: "the store" };

describe("the epoch of a block", () => {
  const epochs = (world: Awaited<ReturnType<typeof syncWorld>>): (number | undefined)[] =>
    Array.from({ length: world.latest() + 1 }, (_, number) => world.folder.reader.epoch(number));

  test("is stored as reported, and defaults to that of the parent", async () => {
    const chain = new SourceChain();
    for (const epoch of [0, 0, 2, undefined, 2, 7, undefined]) {
      chain.add(epoch === undefined ? {} : { epoch });
    }
    const world = await syncWorld(chain);
    await world.until(() => world.latest() === 6);
    expect(epochs(world)).toEqual([0, 0, 2, 2, 2, 7, 7]);
    await world.service.stop();
    chain.grow(1);
    const again = await syncWorld(chain, { folder: world.folder });
    await again.until(() => again.latest() === 7);
    expect(epochs(again).at(-1)).toBe(7);
    await again.close();
  });

  test("is refused if it falls, even after a start, and then another block is accepted", async () => {
    const chain = new SourceChain();
    for (const epoch of [1, 3]) chain.add({ epoch });
    const lower = chain.fork(1);
    lower.add({ epoch: 2 });
    const world = await syncWorld(lower);
    await world.pass(5_000);
    expect(world.messagesOf("refused").map(({ refusal }) => refusal)).toEqual([
      { check: "epoch", blockNumber: 2, message: "epoch: 2, after 3 of the block before" },
    ]);
    await world.service.stop();
    const again = await syncWorld(lower, { folder: world.folder });
    await again.pass(5_000);
    expect([again.latest(), again.messagesOf("refused").length]).toEqual([1, 1]);
    const right = chain.fork(1);
    right.add({ epoch: 3 });
    again.verifier.learn(right);
    again.source.chain = right;
    expect(await again.until(() => again.latest() === 2)).toBe(true);
    expect(epochs(again)).toEqual([1, 3, 3]);
    await again.close();
  });
});

describe("an epoch that was reported too high", () => {
  /** The same blocks with other epochs. */
  function publishedChain(chain: SourceChain, epochs: readonly number[]): SourceChain {
    const other = new SourceChain();
    other.blocks.push(...chain.blocks.map((block, i) => ({ ...block, epoch: epochs[i] ?? 0 })));
    return other;
  }

  async function followedWrongly(epochs: readonly number[], upTo: number) {
    const chain = new SourceChain().grow(6);
    const world = await syncWorld(publishedChain(chain, epochs), {
      settings: { ...STORE, stopAt: upTo },
    });
    await world.until(() => world.latest() === upTo);
    await world.service.stop();
    return { chain, folder: world.folder };
  }

  for (const [name, wrong, upTo, common] of [
    ["of the newest block", [0, 0, 0, 9], 3, 2],
    ["of several", [0, 5, 9, 9], 3, 0],
  ] as const) {
    test(`causes its blocks to be fetched again: ${name}`, async () => {
      const { chain, folder } = await followedWrongly(wrong, upTo);
      const world = await syncWorld(publishedChain(chain, []), { settings: STORE, folder });
      await world.pass(1_000);
      expect(world.messagesOf("revert")).toEqual([
        { kind: "revert", blockNumber: common, blockHash: chain.blocks[common]?.hash ?? 0n },
      ]);
      expect([world.latest(), world.messagesOf("refused")]).toEqual([upTo, []]);
      await world.service.stop();
      folder.writer.revertTo(common);
      const again = await syncWorld(publishedChain(chain, []), { settings: STORE, folder });
      expect(await again.until(() => again.latest() === 5)).toBe(true);
      await again.close();
    });
  }

  test("reverts nothing accepted on L1, and nothing with unchanged epochs", async () => {
    const { chain, folder } = await followedWrongly([0, 0, 9, 9], 3);
    folder.writer.setL1Accepted(2);
    for (const epochs of [[], [0, 0, 9, 9, 1]]) {
      const world = await syncWorld(publishedChain(chain, epochs), { settings: STORE, folder });
      await world.pass(3_000);
      expect([world.latest(), world.messagesOf("revert")]).toEqual([3, []]);
      expect(world.messagesOf("refused")[0]?.refusal).toMatchObject({
        check: "epoch",
        blockNumber: 4,
      });
      await world.service.stop();
    }
    folder[Symbol.dispose]();
  });
});

const CLASS = 0xc1a55n;
const NONE = { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] };
const BYTES = encodeContractClass({
  kind: "sierra",
  sierraProgram: [1n, 7n],
  contractClassVersion: "0.1.0",
  entryPoints: NONE,
  abi: "[]",
});

const casm = (...bytecode: bigint[]): CasmClass => ({
  prime: 2n ** 251n + 17n * 2n ** 192n + 1n,
  compilerVersion: "2.12.0",
  bytecode,
  bytecodeSegmentLengths: null,
  hints: new Map(),
  entryPoints: NONE,
});
const OURS = casm(1n, 2n, 3n);
const OLDER = casm(1n, 2n);

/** A chain whose block 1 declares a class with this code, and carries these classes. */
function declaring(code: CasmClass, carried: readonly EncodedClass[]): SourceChain {
  const stateDiff = emptyStateDiff();
  const hash = compiledClassHash(code, "poseidon");
  stateDiff.declaredClasses.set(CLASS, hash);
  const classes = [{ classHash: CLASS, compiledClassHash: hash, migratedHash: null }];
  const chain = new SourceChain().grow(1);
  chain.add({ stateDiff, classes, carried });
  return chain;
}

const carriedWith = (casmJson: string | null): EncodedClass => ({
  classHash: CLASS,
  contractClass: BYTES,
  casmJson,
});

async function followed(chain: SourceChain, settings: SyncWorldOptions["settings"] = {}) {
  const world = await syncWorld(chain, {
    compile: () => ({ casmJson: casmJsonFromClass(OURS), reason: null }),
    settings: { ...STORE, ...settings },
  });
  await world.until(() => world.latest() === 1, 5_000);
  const refusal = world.messagesOf("refused").at(-1)?.refusal;
  return { ...world, refusal, asked: world.source.asked.filter((each) => each.includes("class")) };
}

describe("a class carried by its block", () => {
  test("is not requested elsewhere, and is compiled locally regardless of the carried code", async () => {
    for (const carried of [null, casmJsonFromClass(OURS), casmJsonFromClass(OLDER), "nonsense"]) {
      const { latest, folder, asked, close } = await followed(
        declaring(OURS, [carriedWith(carried)]),
      );
      expect([latest(), asked]).toEqual([1, []]);
      expect(folder.reader.casm(CLASS)?.casmJson).toBe(casmJsonFromClass(OURS));
      await close();
    }
  });

  test("has the carried code if that is trusted and has the declared hash", async () => {
    const chain = declaring(OLDER, [carriedWith(casmJsonFromClass(OLDER))]);
    const { latest, folder, asked, close } = await followed(chain, { trustsCasm: true });
    expect([latest(), asked]).toEqual([1, []]);
    expect(folder.reader.casm(CLASS)?.casmJson).toBe(casmJsonFromClass(OLDER));
    await close();
  });

  test("is refused with other code, trusted or not", async () => {
    const right = casmJsonFromClass(OLDER);
    for (const [carried, trustsCasm, message] of [
      [right, false, /--trust-casm accepts the code of the store/],
      [casmJsonFromClass(casm(9n)), true, /the code of the store has 0x/],
      ["nonsense", true, /the code of the store answer: expected/],
      [null, true, /the store has none/],
    ] as const) {
      const world = await followed(declaring(OLDER, [carriedWith(carried)]), { trustsCasm });
      expect(world.latest()).toBe(0);
      expect(world.refusal).toMatchObject({ check: "compiled_class_hash", blockNumber: 1 });
      expect(world.refusal?.message).toMatch(message);
      await world.close();
    }
  });

  test("is named if the block does not carry it", async () => {
    const { latest, refusal, close } = await followed(declaring(OURS, []));
    expect([latest(), refusal]).toEqual([
      0,
      {
        check: "class_hash",
        blockNumber: 1,
        message: "the store does not have class 0xc1a55 of its block",
      },
    ]);
    await close();
  });
});

describe("a store", () => {
  test("of another chain ends the node with one message and without further requests", async () => {
    const world = await syncWorld(new SourceChain().grow(3), { settings: STORE });
    world.source.publicKey = () => Promise.reject(new OtherChainFollowed("it is another chain"));
    await world.pass(2_000);
    expect(world.messagesOf("otherChain")).toEqual([
      { kind: "otherChain", message: "it is another chain" },
    ]);
    expect([world.latest(), world.messagesOf("refused"), world.failures]).toEqual([-1, [], []]);
    expect(world.source.asked.some((each) => each.startsWith("block"))).toBe(false);
    await world.close();
  });

  test("that lacks a block below its newest is reported, and followed once the block exists", async () => {
    const chain = new SourceChain().grow(9);
    const world = await syncWorld(chain, { settings: STORE });
    const wholeBlock = world.source.wholeBlock.bind(world.source);
    let isLost = true;
    world.source.wholeBlock = (number) =>
      isLost && number === 5 ? Promise.resolve(undefined) : wholeBlock(number);
    await world.pass(20_000);
    expect(world.latest()).toBe(4);
    expect(world.messagesOf("refused").map(({ refusal }) => refusal)).toEqual([
      {
        check: "block_number",
        blockNumber: 5,
        message: "the store reports block 8, but does not have block 5",
      },
    ]);
    isLost = false;
    expect(await world.until(() => world.latest() === 8)).toBe(true);
    await world.close();
  });
});
