import { afterAll, beforeAll, expect, test } from "bun:test";
import { NodeClient } from "#io/client/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { StateWitness } from "#services/replay/state-witness.ts";
import { DeclareWorld } from "#test/helpers/declare-world.ts";
import { channelOf } from "#test/helpers/replay-world.ts";

let world: DeclareWorld;

beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

function headerOf(number: number): BlockHeader {
  const header = world.chain.header(number);
  if (header === undefined) throw new TypeError(`there is no block ${number}`);
  return header;
}

/** A proven contract from a node with or without storage roots. */
async function proven(address: bigint, keys: readonly bigint[], tellsRoots: boolean) {
  const channel = channelOf(world, (_, result) =>
    tellsRoots
      ? result
      : (JSON.parse(
          JSON.stringify(result, (key, member) => (key === "storage_root" ? undefined : member)),
        ) as typeof result),
  );
  const witness = new StateWitness(new NodeClient(channel), headerOf(0), 90);
  const places = { contracts: new Map([[address, new Set(keys)]]), classes: new Set<bigint>() };
  return (await witness.prove(places)).contracts.get(address);
}

test("proves a contract without storage reads, even without a storage root", async () => {
  const { address } = world.account;
  const state = world.chain.stateAt(0);
  for (const tellsRoots of [true, false]) {
    const contract = await proven(address, [], tellsRoots);
    expect(contract?.classHash).toBe(state.classHashAt(address));
    expect(contract?.nonce).toBe(0n);
    expect(contract?.storage.rootHash).toBeGreaterThan(0n);
  }
});

test("does not hash a proof with too many nodes", async () => {
  const channel = channelOf(world, (_, result) => {
    const copy = JSON.parse(JSON.stringify(result)) as { contracts_proof: { nodes: unknown[] } };
    const [node] = copy.contracts_proof.nodes;
    copy.contracts_proof.nodes = Array.from({ length: 1_000 }, () => node);
    return copy as unknown as typeof result;
  });
  const witness = new StateWitness(new NodeClient(channel), headerOf(0), 90);
  const contracts = new Map([[world.account.address, new Set([5n])]]);
  const asked = witness.prove({ contracts, classes: new Set() }).catch(String);
  expect(await asked).toContain("nodes of contracts_proof: ours at most 753, theirs 1000");
});

test("proves the absence of a contract", async () => {
  for (const tellsRoots of [true, false]) {
    const contract = await proven(0x1234n, [5n], tellsRoots);
    expect([contract?.classHash, contract?.storage.rootHash]).toEqual([0n, 0n]);
    expect(contract?.storage.get(5n)).toBe(0n);
  }
});
