import { expect, test } from "bun:test";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { PendingDropped } from "#services/sync/index.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

/** A view of a chain in which an account exists at address N after block N. */
function view(latest: number) {
  const stateAt = (block: number) => ({
    ...nonceState(),
    classHashAt: (address: bigint) => (address === BigInt(block) ? 7n : 0n),
  });
  const created = ChainView.ofStored(numberedChain(latest, stateAt), new FakeTimer());
  const executor = fakePort<DeltaMessage | PendingDropped, never>();
  const committer = fakePort<{ readonly blockNumber: number }, never>();
  const accepted: (readonly [number, number | undefined, number])[] = [];
  created.follow({ deltas: executor, accepted: committer }, ({ blockNumber }) =>
    accepted.push([blockNumber, created.chain.latestNumber(), created.feed.position.accepted]),
  );
  return { view: created, executor, committer, accepted };
}

test("finds accounts in the newest published block", () => {
  const { view: seen, committer } = view(3);
  expect([seen.hasAccount(3n), seen.hasAccount(4n)]).toEqual([true, false]);
  committer.tell({ blockNumber: 4 });
  expect([seen.hasAccount(3n), seen.hasAccount(4n)]).toEqual([false, true]);
});

test("has no account on an empty chain, and the empty state", () => {
  const { view: empty } = view(-1);
  expect(empty.hasAccount(1n)).toBe(false);
  expect(empty.latestState().classHashAt(-1n)).toBe(7n);
});

test("announces a block once it is visible", () => {
  const { committer, accepted } = view(3);
  committer.tell({ blockNumber: 4 });
  expect(accepted).toEqual([[4, 4, 4]]);
});

test("reports the newest block once it is visible, and after a revert", () => {
  const { view: seen, committer } = view(3);
  const told: unknown[] = [];
  seen.onHead((number) => told.push([number, seen.chain.latestNumber()]));
  committer.tell({ blockNumber: 4 });
  seen.withdraw(1);
  seen.reset(undefined);
  expect(told).toEqual([
    [4, 4],
    [3, 3],
  ]);
});

test("advances with deltas", () => {
  const { view: seen, executor } = view(3);
  executor.tell({ kind: "delta", blockNumber: 4, sequence: 2, bytes: new Uint8Array() });
  expect(seen.feed.position).toEqual({ accepted: 3, blockNumber: 4, sequence: 2, generation: 0 });
});

test("notifies subscribers of deltas and blocks once both are visible", () => {
  const { view: seen, executor, committer } = view(3);
  const told: unknown[] = [];
  const changed = () => told.push([seen.chain.latestNumber(), seen.feed.position.blockNumber]);
  const nothing = () => undefined;
  seen.live.listen({
    changed,
    received: nothing,
    candidates: nothing,
    rejected: nothing,
    settled: nothing,
    reverted: nothing,
  });
  executor.tell({ kind: "delta", blockNumber: 4, sequence: 0, bytes: new Uint8Array() });
  committer.tell({ blockNumber: 4 });
  expect(told).toEqual([
    [3, 4],
    [4, 4],
  ]);
});

test("hides pending blocks once they are lost, and notifies subscribers", () => {
  const { view: seen, executor } = view(3);
  executor.tell({ kind: "delta", blockNumber: 4, sequence: 2, bytes: new Uint8Array() });
  const told: unknown[] = [];
  const nothing = () => undefined;
  seen.live.listen({
    changed: nothing,
    received: nothing,
    candidates: nothing,
    rejected: nothing,
    settled: nothing,
    reverted: (reorg) => told.push([reorg, seen.feed.position.blockNumber]),
  });
  executor.tell({ kind: "pendingDropped" });
  expect([told, seen.feed.position.generation]).toEqual([[[undefined, 3]], 1]);
});

test("shows the stored chain after a revert, drops old responses, and notifies subscribers last", () => {
  let stored = 3;
  const base = numberedChain(0, () => nonceState());
  const seen = ChainView.ofStored({ ...base, latestNumber: () => stored }, new FakeTimer());
  const executor = fakePort<DeltaMessage, never>();
  const committer = fakePort<{ readonly blockNumber: number }, never>();
  seen.follow({ deltas: executor, accepted: committer }, () => undefined);
  stored = 5;
  committer.tell({ blockNumber: 4 });
  committer.tell({ blockNumber: 5 });
  executor.tell({ kind: "delta", blockNumber: 6, sequence: 1, bytes: new Uint8Array() });
  const { answers } = seen;
  answers.put(answers.ticket("old"), "old");
  const begun = answers.ticket("begun");
  const told: unknown[] = [];
  const nothing = () => undefined;
  seen.live.listen({
    changed: nothing,
    received: nothing,
    candidates: nothing,
    rejected: nothing,
    settled: nothing,
    reverted: (reorg) =>
      told.push(reorg, seen.chain.latestNumber(), seen.feed.position, answers.get("old")),
  });
  // Blocks about to be reverted are hidden before they are gone.
  seen.withdraw(4);
  expect(told).toEqual([]);
  const shown = [
    seen.chain.latestNumber(),
    answers.get("old"),
    seen.feed.current().blocks().length,
  ];
  expect(shown).toEqual([4, undefined, 0]);
  answers.put(answers.ticket("old"), "old");
  stored = 2;
  const reorg = { starting: { number: 3, hash: 0x3n }, ending: { number: 5, hash: 0x5n } };
  seen.reset(reorg);
  answers.put(begun, "begun");
  expect(answers.get("begun")).toBeUndefined();
  expect(told).toMatchObject([reorg, 2, { accepted: 2, blockNumber: 2 }, undefined]);
});
