import { describe, expect, test } from "bun:test";
import type { Felt } from "#base/primitives/index.ts";
import { EMPTY_STATE_DIFF, emptyStateDiff, type StateDiff } from "#protocol/chain/index.ts";
import { requireLists } from "#services/sync/check-lists.ts";
import { BlockRefused } from "#services/sync/refusal.ts";
import { SourceChain } from "#test/helpers/source-chain.ts";
import { syncWorld } from "#test/helpers/sync-world.ts";
import { fakeBlock } from "#test/helpers/fake-chain.ts";

const KNOWN = 0xc1n;
const FRESH = 0xc2n;

/** A state in which {@link KNOWN} is a contract and a declared class. */
const STATE = {
  classHashAt: (address: Felt) => (address === KNOWN ? 5n : 0n),
  compiledClassHashOf: (classHash: Felt) => (classHash === KNOWN ? 6n : 0n),
};

function messageOf(changes: Partial<StateDiff>, protocolVersion = "0.14.1"): string | undefined {
  const { header } = fakeBlock({ header: { number: 7, protocolVersion } });
  try {
    requireLists({ header, stateDiff: { ...EMPTY_STATE_DIFF, ...changes } }, STATE);
    return undefined;
  } catch (error) {
    if (!(error instanceof BlockRefused)) throw error;
    expect(error.refusal).toMatchObject({ check: "state_diff_commitment", blockNumber: 7 });
    return error.refusal.message;
  }
}

const listed = (...felts: Felt[]) => new Map(felts.map((felt) => [felt, 9n]));

describe("a state diff", () => {
  test.each([
    ["deploys a contract", { deployedContracts: listed(FRESH) }],
    ["replaces a class", { replacedClasses: listed(KNOWN) }],
    [
      "deploys a contract and replaces its class",
      { deployedContracts: listed(FRESH), replacedClasses: listed(FRESH) },
    ],
    ["declares a class", { declaredClasses: listed(FRESH) }],
    ["migrates a class", { migratedCompiledClasses: listed(KNOWN) }],
    [
      "declares a class and migrates it",
      { declaredClasses: listed(FRESH), migratedCompiledClasses: listed(FRESH) },
    ],
  ])("that %s is accepted", (_, changes) => {
    expect(messageOf(changes)).toBeUndefined();
  });

  test.each([
    [
      "replaces the class of a contract that is not deployed",
      { replacedClasses: listed(FRESH) },
      "replaced_classes: 0xc2 has no class that could be replaced",
    ],
    [
      "deploys a contract that is deployed",
      { deployedContracts: listed(KNOWN) },
      "deployed_contracts: 0xc1 has class 0x5 already",
    ],
    [
      "declares a declared class",
      { declaredClasses: listed(KNOWN) },
      "declared_classes: 0xc1 is declared already",
    ],
    [
      "migrates a class that is not declared",
      { migratedCompiledClasses: listed(FRESH) },
      "migrated_compiled_classes: 0xc2 was not declared before",
    ],
  ])("that %s is refused", (_, changes, message) => {
    expect(messageOf(changes)).toBe(message);
  });

  test("of a version without migrations can declare a class again", () => {
    expect(messageOf({ declaredClasses: listed(KNOWN) }, "0.14.0")).toBeUndefined();
  });
});

test("a deployed contract reported as replaced is refused, and accepted once correct", async () => {
  const chain = new SourceChain().grow(3);
  const lying = chain.fork(2);
  const deployed = emptyStateDiff();
  deployed.deployedContracts.set(0xabcn, 0x55n);
  const replaced = emptyStateDiff();
  replaced.replacedClasses.set(0xabcn, 0x55n);
  expect(lying.add({ stateDiff: replaced }).hash).toBe(chain.add({ stateDiff: deployed }).hash);
  const world = await syncWorld(lying);
  await world.until(() => world.messagesOf("refused").length > 0);
  expect([world.latest(), world.messagesOf("refused")[0]?.refusal?.message]).toEqual([
    2,
    "replaced_classes: 0xabc has no class that could be replaced",
  ]);
  world.source.chain = chain;
  world.verifier.learn(chain);
  expect(await world.until(() => world.latest() === 3)).toBe(true);
  await world.close();
});
