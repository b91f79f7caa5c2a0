import { afterAll, beforeAll, describe, expect } from "bun:test";
import { compareFelts, type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { decodeBundle } from "#protocol/chain/index.ts";
import {
  decodePendingDelta,
  encodePendingDelta,
  type PendingDelta,
  PendingOverlay,
} from "#engine/state/index.ts";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { executeOne, type HashForms, MigrationStory } from "#test/helpers/migration-story.ts";
import {
  referenceBlockHash,
  ReferenceState,
  type RpcBlock,
  type RpcStateDiff,
} from "#test/helpers/reference/block.ts";
import { newestOpenRpc, resultOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";

let story: MigrationStory;
let world: DeclareWorld;

beforeAll(async () => {
  if (SHARED === undefined) return;
  story = await MigrationStory.play();
  ({ world } = story);
});
afterAll(async () => {
  if (SHARED !== undefined) await story[Symbol.asyncDispose]();
});

/** State diff of getStateUpdate, checked against the specification. */
async function changesOf(block: number | PendingOverlay): Promise<RpcStateDiff> {
  const pending = typeof block === "number" ? undefined : block.newest();
  const context = sampleContext({ chain: world.chain, pending: () => pending });
  const block_id = typeof block === "number" ? { block_number: block } : "pre_confirmed";
  const update = await resultOf("getStateUpdate", { block_id }, context);
  expect(newestOpenRpc().resultFindings("getStateUpdate", update)).toEqual([]);
  return (update as { readonly state_diff: RpcStateDiff }).state_diff;
}

const rows = (classes: readonly HashForms[], form: "poseidon" | "blake") =>
  classes
    .toSorted((a, b) => compareFelts(a.classHash, b.classHash))
    .map((each) => ({
      class_hash: hexFromFelt(each.classHash),
      compiled_class_hash: hexFromFelt(each[form]),
    }));

describe("a chain that continues under protocol 0.14.4", () => {
  sharedTest("migrates each old class once, in the block that first ran it", async () => {
    const { hello, counter, late, account, token, deployer } = story;
    const changes = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => changesOf(number)));
    expect(changes.map(({ migrated_compiled_classes }) => migrated_compiled_classes)).toEqual([
      [],
      rows([account, token], "blake"),
      rows([hello], "blake"),
      [],
      rows([counter, deployer], "blake"),
      [],
    ]);
    expect(changes.map(({ declared_classes }) => declared_classes)).toEqual([
      rows([hello, counter], "poseidon"),
      [],
      [],
      rows([late], "blake"),
      [],
      [],
    ]);
  });

  sharedTest("keeps a class that a reverted transaction ran", () => {
    const { classHash, poseidon } = story.hello;
    expect(world.chain.receipts(2).map(({ status }) => status.kind)).toEqual(["reverted"]);
    expect(world.chain.stateAt(2).compiledClassHashOf(classHash)).toBe(poseidon);
  });

  sharedTest("reverts a migration with its block, and creates the same block again", () => {
    expect(story.revertedHash).toBe(story.hello.poseidon);
    expect(world.chain.header(3)).toEqual(story.revertedBlock);
  });

  sharedTest("refuses to declare an old class again by its newer hash", () => {
    const { producer } = world.open(2, world.chain.stateAt(1));
    const { declared, blake } = story.hello;
    const { rejected } = producer.execute([world.declare(4n, declared, blake)]);
    expect(rejected.map(({ error }) => error.code)).toEqual(["CLASS_ALREADY_DECLARED"]);
  });

  sharedTest("knows the hash of every class after every block", () => {
    const { hello, counter, late, account, token, deployer } = story;
    const history = ({ classHash }: HashForms): Felt[] =>
      [0, 1, 2, 3, 4, 5, 6].map((n) => world.chain.stateAt(n).compiledClassHashOf(classHash));
    const of = ({ poseidon, blake }: HashForms, blocks: string): Felt[] =>
      blocks.split("").map((form) => (form === "p" ? poseidon : form === "b" ? blake : 0n));
    expect(history(hello)).toEqual(of(hello, "-ppbbbb"));
    expect(history(counter)).toEqual(of(counter, "-ppppbb"));
    expect(history(late)).toEqual(of(late, "----bbb"));
    expect(history(account)).toEqual(of(account, "ppbbbbb"));
    expect(history(token)).toEqual(of(token, "ppbbbbb"));
    expect(history(deployer)).toEqual(of(deployer, "pppppbb"));
  });

  sharedTest(
    "has the state roots and block hashes that follow from its state updates",
    async () => {
      const context = sampleContext({ chain: world.chain, pending: () => undefined });
      const state = new ReferenceState();
      for (let number = 0; number <= 6; number++) {
        const changes = await changesOf(number);
        const id = { block_id: { block_number: number } };
        const block = (await resultOf("getBlockWithReceipts", id, context)) as RpcBlock;
        state.apply(changes);
        const version = number < 2 ? "0.14.0" : "0.14.4";
        expect([number, block.starknet_version]).toEqual([number, version]);
        expect([number, hexFromFelt(state.root())]).toEqual([number, block.new_root]);
        const hash = hexFromFelt(referenceBlockHash(block, changes));
        expect([number, hash]).toEqual([number, block.block_hash]);
      }
    },
  );

  sharedTest("carries migrations in its bundles, without the class", () => {
    const { block, classes } = decodeBundle(world.chain.bundleBytes(3) ?? new Uint8Array());
    const { classHash, blake } = story.hello;
    expect(block.stateDiff.migratedCompiledClasses).toEqual(new Map([[classHash, blake]]));
    expect(classes).toEqual([]);
  });
});

describe("an old class that a block runs", () => {
  /** On block 1, so that all of the chain's classes are old. */
  function running() {
    const { producer, delta } = world.open(2, world.chain.stateAt(1));
    return { producer, deltas: [delta, executeOne(producer, story.increase(4n, 6n))] };
  }

  /** View of a reader on another thread while block 1 is the newest accepted one. */
  function overlayOf(deltas: readonly PendingDelta[]): PendingOverlay {
    const overlay = new PendingOverlay(numberedChain(1, (number) => world.chain.stateAt(number)));
    for (const delta of deltas) overlay.apply(decodePendingDelta(encodePendingDelta(delta)));
    return overlay;
  }

  sharedTest("has the older hash until the block is complete", async () => {
    const overlay = overlayOf(running().deltas);
    const { classHash, poseidon } = story.hello;
    expect(overlay.state().compiledClassHashOf(classHash)).toBe(poseidon);
    expect((await changesOf(overlay)).migrated_compiled_classes).toEqual([]);
  });

  sharedTest("has the newer hash afterwards, accepted or not", async () => {
    const { hello, counter, account, token } = story;
    const { producer, deltas } = running();
    const sealed = producer.seal();
    const overlay = overlayOf([...deltas, sealed.delta]);
    const migrated = new Map([hello, account, token].map((each) => [each.classHash, each.blake]));
    expect(sealed.draft.stateDiff.migratedCompiledClasses).toEqual(migrated);
    for (const [classHash, blake] of migrated) {
      expect(overlay.state().compiledClassHashOf(classHash)).toBe(blake);
    }
    expect(overlay.state().compiledClassHashOf(counter.classHash)).toBe(counter.poseidon);
    expect((await changesOf(overlay)).migrated_compiled_classes).toEqual(
      rows([hello, account, token], "blake"),
    );
  });

  sharedTest("is migrated once, even for the block on top", () => {
    const { producer, deltas } = running();
    const overlay = overlayOf([...deltas, producer.seal().delta]);
    const above = world.open(3, overlay.state());
    executeOne(above.producer, story.increase(5n, 6n));
    expect(above.producer.seal().draft.stateDiff.migratedCompiledClasses).toEqual(new Map());
  });

  sharedTest("is not migrated if the transaction did not fit", () => {
    const { account, token } = story;
    const limits = { transactionCount: 1n };
    const { producer } = world.open(2, world.chain.stateAt(1), { bouncer: { limits } });
    const { nativeFeeTokenAddress } = world.setup.config;
    const transfer = [0x777n, 1n, 0n];
    const first = world.invoke(4n, nativeFeeTokenAddress, selectorFromName("transfer"), transfer);
    executeOne(producer, first);
    const second = story.increase(5n, 6n);
    expect(producer.execute([second])).toMatchObject({ full: true, rejected: [] });
    const { migratedCompiledClasses } = producer.seal().draft.stateDiff;
    expect(migratedCompiledClasses).toEqual(
      new Map([account, token].map((each) => [each.classHash, each.blake])),
    );
  });
});
