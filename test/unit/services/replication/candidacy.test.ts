import { expect, test } from "bun:test";
import { Candidacy, type CandidacyObstacle } from "#services/replication/candidacy.ts";
import type { LeaderRecord } from "#services/replication/index.ts";
import { ObjectStoreError } from "#base/errors/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { leaderRecord, pass, writeLeader } from "#test/helpers/leader-records.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

const TAKEOVER_MS = 4_000;

function world(isStandby = true) {
  const store = new MemoryObjectStore();
  const timer = new FakeTimer();
  const turns: (LeaderRecord | undefined)[] = [];
  const obstacles: (CandidacyObstacle["kind"] | undefined)[] = [];
  const chain = {
    newest: 5 as number | undefined,
    published: 5,
    epoch: 1,
    secondsBehind: undefined as number | undefined,
    list: (): Promise<void> => Promise.resolve(),
  };
  const candidacy = new Candidacy({
    store,
    takeoverAfterMs: TAKEOVER_MS,
    isStandby,
    newestBlock: () => chain.newest,
    async newestPublished(from) {
      await chain.list();
      return Math.max(from, chain.published);
    },
    newestEpoch: () => chain.epoch,
    secondsBehind: () => chain.secondsBehind,
    onSeen: () => undefined,
    onTurn: (leader) => void turns.push(leader),
    onObstacle: (obstacle) => void obstacles.push(obstacle?.kind),
    timer,
  });
  return { store, timer, turns, obstacles, chain, candidacy };
}

test("takes its turn after the leader's silence, and stops watching", async () => {
  const { store, timer, turns, candidacy } = world();
  writeLeader(store, { newestBlock: 5 });
  candidacy.start();
  await pass(timer, TAKEOVER_MS - 100);
  expect(turns).toEqual([]);
  await pass(timer, 100);
  expect(turns).toEqual([leaderRecord({ newestBlock: 5 })]);
  await pass(timer, 20_000);
  expect([turns.length, timer.alarms]).toEqual([1, 0]);
});

test("takes no turn while the leader writes heartbeats", async () => {
  const { store, timer, turns, candidacy, obstacles } = world();
  candidacy.start();
  for (let counter = 1; counter <= 300; counter++) {
    writeLeader(store, { counter });
    await pass(timer, 1_000, 500);
  }
  expect(turns).toEqual([]);
  expect(new Set(obstacles)).toEqual(new Set([undefined]));
});

test("takes no turn while the store is unavailable", async () => {
  const { store, timer, turns, candidacy, obstacles } = world();
  writeLeader(store);
  candidacy.start();
  await pass(timer, 3_000);
  store.fault = () => "down";
  await pass(timer, 600_000, 5_000);
  store.fault = () => "none";
  writeLeader(store, { counter: 2 });
  await pass(timer, 3_500);
  expect(turns).toEqual([]);
  expect(obstacles).toContain("unseen");
});

test("takes its turn immediately after a clean stop of the leader", async () => {
  const { store, timer, turns, candidacy } = world();
  writeLeader(store, { hasStopped: true });
  candidacy.start();
  await pass(timer, 100);
  expect(turns).toHaveLength(1);
});

test("ignores the clean stop of a leader that was already succeeded", async () => {
  const { store, timer, turns, chain, candidacy } = world();
  writeLeader(store, { hasStopped: true });
  chain.epoch = 2;
  candidacy.start();
  await pass(timer, TAKEOVER_MS - 100);
  expect(turns).toEqual([]);
  await pass(timer, 100);
  expect(turns).toHaveLength(1);
});

test("syncs all published blocks before its turn", async () => {
  const { store, timer, turns, chain, candidacy, obstacles } = world();
  writeLeader(store, { newestBlock: 8 });
  chain.published = 8;
  candidacy.start();
  await pass(timer, TAKEOVER_MS + 2_000);
  expect([turns.length, obstacles.at(-1)]).toEqual([0, "behind"]);
  chain.newest = 8;
  await pass(timer, 500);
  expect(turns).toHaveLength(1);
});

test("takes over without any leader record only if started to lead", async () => {
  const standby = world();
  standby.candidacy.start();
  await pass(standby.timer, 60_000, 500);
  expect([standby.turns, standby.obstacles.at(-1)]).toEqual([[], undefined]);
  const { timer, turns, candidacy } = world(false);
  candidacy.start();
  await pass(timer, TAKEOVER_MS, 500);
  expect(turns).toEqual([undefined]);
});

test("takes no turn without a chain", async () => {
  const { timer, turns, chain, candidacy, obstacles } = world(false);
  chain.newest = undefined;
  chain.published = -1;
  candidacy.start();
  await pass(timer, 60_000, 500);
  expect([turns.length, obstacles.at(-1)]).toEqual([0, "behind"]);
});

test("takes no turn with a clock behind the newest block, until it is set", async () => {
  const { store, timer, turns, chain, candidacy, obstacles } = world();
  writeLeader(store, { newestBlock: 5 });
  chain.secondsBehind = 3_600;
  candidacy.start();
  await pass(timer, 60_000, 500);
  expect([turns.length, obstacles.at(-1)]).toEqual([0, "clock"]);
  chain.secondsBehind = undefined;
  await pass(timer, 500);
  expect(turns).toHaveLength(1);
});

test("takes no turn if the store lost blocks of the leader", async () => {
  const { store, timer, turns, candidacy, obstacles } = world();
  writeLeader(store, { newestBlock: 6 });
  candidacy.start();
  await pass(timer, 60_000, 500);
  expect([turns.length, obstacles.at(-1)]).toEqual([0, "lost"]);
});

test("takes no turn if the leader returns during the listing of blocks", async () => {
  const { store, timer, turns, chain, candidacy } = world();
  writeLeader(store);
  const listed = Promise.withResolvers<void>();
  chain.list = () => listed.promise;
  candidacy.start();
  await pass(timer, TAKEOVER_MS + 1_000);
  writeLeader(store, { counter: 2 });
  await pass(timer, 500);
  listed.resolve();
  await pass(timer, 1_000);
  expect(turns).toEqual([]);
});

test("retries a listing that fails", async () => {
  const { store, timer, turns, chain, candidacy, obstacles } = world();
  writeLeader(store);
  chain.list = () =>
    Promise.reject(new ObjectStoreError("OBJECT_STORE_FAILED", "status 500", true));
  candidacy.start();
  await pass(timer, TAKEOVER_MS + 1_000);
  expect([turns.length, obstacles.at(-1)]).toEqual([0, "unseen"]);
  chain.list = () => Promise.resolve();
  await pass(timer, 500);
  expect(turns).toHaveLength(1);
});

test("takes no turn after a stop, even during a listing", async () => {
  const { store, timer, turns, chain, candidacy } = world();
  writeLeader(store);
  const listed = Promise.withResolvers<void>();
  chain.list = () => listed.promise;
  candidacy.start();
  await pass(timer, TAKEOVER_MS + 1_000);
  candidacy.stop();
  listed.resolve();
  await pass(timer, 10_000);
  expect(turns).toEqual([]);
});
