import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { DeclareWorld } from "#test/helpers/declare-world.ts";
import { MigrationStory } from "#test/helpers/migration-story.ts";
import { replay, replayStory, STORY } from "#test/helpers/replay-world.ts";
import { sharedTest } from "#test/helpers/shared.ts";

let world: DeclareWorld;

beforeAll(async () => {
  world = await replayStory();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

describe("a replay", () => {
  test("agrees with every block: transfers, reverts, declarations, deployments, none", async () => {
    for (let number = 0; number <= STORY.last; number++) {
      const header = world.chain.header(number);
      if (header === undefined) throw new TypeError(`there is no block ${number}`);
      expect(await replay(world, number)).toEqual({
        kind: "agrees",
        header,
        isGenesis: number === 0,
        trustedClasses: [],
      });
    }
  });

  test("requests at most the configured number of proofs together", async () => {
    const counts: number[] = [];
    const outcome = await replay(
      world,
      STORY.declare,
      (method, result, params) => {
        if (method === "starknet_getStorageProof") counts.push(keyCount(params));
        return result;
      },
      { maxProofKeys: 3 },
    );
    expect(outcome.kind).toBe("agrees");
    expect(Math.max(...counts)).toBe(3);
  });

  test("requests only the siblings of deleted leaves", async () => {
    const asked = new Map<number, number>();
    for (const number of [STORY.transfers, STORY.deletion]) {
      await replay(world, number, (method, result, params) => {
        const isMore = method === "starknet_getStorageProof" && isOfStorageAlone(params);
        if (isMore) asked.set(number, (asked.get(number) ?? 0) + 1);
        return result;
      });
    }
    expect(asked).toEqual(new Map([[STORY.deletion, 1]]));
  });

  test("derives a storage root from the proof if the node omits it", async () => {
    for (const number of [STORY.transfers, STORY.deletion]) {
      const outcome = await replay(world, number, (method, result) =>
        method === "starknet_getStorageProof" ? without(result, "storage_root") : result,
      );
      expect(outcome.kind).toBe("agrees");
    }
  });

  test("reports a wrong fee mode in either direction as a difference", async () => {
    const differing = { field: "receipt.actual_fee.amount", transaction: { index: 0 } };
    const free = await replay(world, STORY.transfers, undefined, { chargeFees: false });
    expect(free).toMatchObject({ kind: "differs", difference: { ...differing, ours: "0x0" } });
    const taken = await replay(world, STORY.transfers, (method, result) =>
      method === "starknet_getBlockWithReceipts" ? withoutFees(result) : result,
    );
    expect(taken).toMatchObject({ kind: "differs", difference: { ...differing, theirs: "0x0" } });
  });

  sharedTest("agrees with blocks that declare, deploy, revert and migrate classes", async () => {
    await using story = await MigrationStory.play();
    for (let number = 1; number <= 6; number++) {
      expect(await replay(story.world, number)).toMatchObject({ kind: "agrees" });
    }
  });
});

interface ProofParams {
  readonly class_hashes: readonly unknown[];
  readonly contract_addresses: readonly unknown[];
  readonly contracts_storage_keys: readonly { readonly storage_keys: readonly unknown[] }[];
}

function isOfStorageAlone(params: unknown): boolean {
  const { contract_addresses, contracts_storage_keys } = params as ProofParams;
  return contract_addresses.length === 0 && contracts_storage_keys.length > 0;
}

function keyCount(params: unknown): number {
  const asked = params as ProofParams;
  const keys = asked.contracts_storage_keys.map(({ storage_keys }) => storage_keys.length);
  return (
    asked.class_hashes.length +
    asked.contract_addresses.length +
    keys.reduce((sum, count) => sum + count, 0)
  );
}

function withoutFees<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (key, member) => (key === "amount" ? "0x0" : member)),
  ) as T;
}

function without<T>(value: T, name: string): T {
  return JSON.parse(
    JSON.stringify(value, (key, member) => (key === name ? undefined : member)),
  ) as T;
}
