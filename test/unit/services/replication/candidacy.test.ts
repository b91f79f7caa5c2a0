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

test("it takes its turn once the leader is silent for long enough, and watches no more", async () => {
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

test("it never does while the leader gives signs of life", async () => {
  const { store, timer, turns, candidacy, obstacles } = world();
  candidacy.start();
  for (let counter = 1; counter <= 300; counter++) {
    writeLeader(store, { counter });
    await pass(timer, 1_000, 500);
  }
  expect(turns).toEqual([]);
  expect(new Set(obstacles)).toEqual(new Set([undefined]));
});

test("nor while the store does not answer, however long", async () => {
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

test("an orderly end of the leader is not waited for", async () => {
  const { store, timer, turns, candidacy } = world();
  writeLeader(store, { hasStopped: true });
  candidacy.start();
  await pass(timer, 100);
  expect(turns).toHaveLength(1);
});

test("that of a leader whose place was taken since is old news", async () => {
  const { store, timer, turns, chain, candidacy } = world();
  writeLeader(store, { hasStopped: true });
  chain.epoch = 2;
  candidacy.start();
  await pass(timer, TAKEOVER_MS - 100);
  expect(turns).toEqual([]);
  await pass(timer, 100);
  expect(turns).toHaveLength(1);
});

test("it takes every block that there is before", async () => {
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

test("while nobody has led yet a standby takes nobody's place; one that was started to lead does", async () => {
  const standby = world();
  standby.candidacy.start();
  await pass(standby.timer, 60_000, 500);
  expect([standby.turns, standby.obstacles.at(-1)]).toEqual([[], undefined]);
  const { timer, turns, candidacy } = world(false);
  candidacy.start();
  await pass(timer, TAKEOVER_MS, 500);
  expect(turns).toEqual([undefined]);
});

test("without a chain there is nothing to take over", async () => {
  const { timer, turns, chain, candidacy, obstacles } = world(false);
  chain.newest = undefined;
  chain.published = -1;
  candidacy.start();
  await pass(timer, 60_000, 500);
  expect([turns.length, obstacles.at(-1)]).toEqual([0, "behind"]);
});

test("with a clock behind the newest block it makes none, and takes over once that is set", async () => {
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

test("a store that lost what the leader published makes no second chain", async () => {
  const { store, timer, turns, candidacy, obstacles } = world();
  writeLeader(store, { newestBlock: 6 });
  candidacy.start();
  await pass(timer, 60_000, 500);
  expect([turns.length, obstacles.at(-1)]).toEqual([0, "lost"]);
});

test("a leader that comes back while blocks are looked for keeps its place", async () => {
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

test("a listing that fails is tried again", async () => {
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

test("one that is stopped takes no turn, not while blocks are looked for either", async () => {
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
