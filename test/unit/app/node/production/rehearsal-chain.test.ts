import { describe, expect, test } from "bun:test";
import { scratchBlocks } from "#app/node/threads/warm-up/warm-up-blocks.ts";
import { withoutRehearsals, rehearsalChain } from "#app/node/production/rehearsal-chain.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { PEDERSEN, type TrieHash } from "#protocol/trie/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type {
  AcceptedMessage,
  RehearsalMessage,
  SealedMessage,
} from "#services/sequencer/index.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { scratchSettings } from "#test/helpers/scratch-settings.ts";

const vm = createCairoVm();

async function blocks() {
  const { settings, block } = await scratchSettings("0.14.4");
  const blockAt = scratchBlocks(vm, settings, block);
  return (number: number): RehearsalMessage => {
    const message = blockAt(number);
    if (message === undefined) throw new TypeError("the transfer is not included");
    return message;
  };
}

/** Polls until `isSo`; the test's own timeout bounds it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(1);
}

describe("rehearsal chain", () => {
  /** Counts hash batches, which show when a block is completed. */
  function setUp() {
    const failures: unknown[] = [];
    const hashed = { batches: 0 };
    const pedersen: TrieHash = {
      ...PEDERSEN,
      pairs(...batch) {
        hashed.batches++;
        return PEDERSEN.pairs(...batch);
      },
    };
    const chain = rehearsalChain({
      chainId: "REHEARSAL",
      storage: {},
      pedersen,
      signingKey: 7n,
      timer: SYSTEM_TIMER,
      onFailure: (error) => failures.push(error),
    });
    return { chain, failures, hashed };
  }

  test("commits blocks on top of each other", async () => {
    const { chain, failures, hashed } = setUp();
    const blockAt = await blocks();
    chain.take(blockAt(0));
    await until(() => hashed.batches > 0);
    const first = hashed.batches;
    for (let number = 1; number < 12; number++) chain.take(blockAt(number));
    // Each block hashes at least as much as the first: the number of recipients grows.
    await until(() => failures.length > 0 || hashed.batches >= 12 * first);
    expect(failures).toEqual([]);
    await chain.close();
  });

  test("fails on a block that does not follow its newest one", async () => {
    const { chain, failures } = setUp();
    const blockAt = await blocks();
    chain.take(blockAt(0));
    chain.take(blockAt(2));
    await until(() => failures.length > 0);
    expect(failures).toMatchObject([{ code: "STORAGE_WRONG_PARENT" }]);
    await chain.close();
  });

  test.each(["end", "close"] as const)("ignores blocks after %s", async (last) => {
    const { chain, failures, hashed } = setUp();
    const blockAt = await blocks();
    chain.take(blockAt(0));
    await until(() => hashed.batches > 0);
    await chain[last]();
    const before = hashed.batches;
    chain.take(blockAt(1));
    await Bun.sleep(50);
    expect([hashed.batches, failures]).toEqual([before, []]);
    await chain.close();
  });
});

test("rehearsals end with the first other message, which only the committer receives", () => {
  const port = fakePort<DeltaMessage | SealedMessage | RehearsalMessage, AcceptedMessage>();
  const told: unknown[] = [];
  const heard: unknown[] = [];
  withoutRehearsals(port, {
    take: ({ blockNumber }) => told.push(blockNumber),
    end: () => told.push("end"),
  }).listen((message) => heard.push(message));
  port.tell({ kind: "rehearsal", blockNumber: 3, deltas: [], stateDiff: new Uint8Array() });
  expect([told, heard]).toEqual([[3], []]);
  const first: DeltaMessage = {
    kind: "delta",
    blockNumber: 1,
    sequence: 0,
    bytes: new Uint8Array(),
  };
  port.tell(first);
  expect([told, heard]).toEqual([[3, "end"], [first]]);
});
