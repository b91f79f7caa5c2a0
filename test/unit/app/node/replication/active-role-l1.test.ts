import { expect, test } from "bun:test";
import { L1_NOT_FOLLOWED } from "#app/node/threads/roles/followed-l1.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { startedRole } from "#test/helpers/started-role.ts";
import { standInServices } from "#test/helpers/stand-in-services.ts";
import { changeTo, STAND_IN_SETUP, standInThreads } from "#test/helpers/stand-in-threads.ts";

test("any role is not ready while L1 contradicts the chain", async () => {
  const { threads } = standInThreads(SEQUENCER.threads);
  await threads.started;
  let reason: string | undefined;
  const following = { highestBlock: 6, isInSync: false, reason: undefined };
  const l1 = { ...L1_NOT_FOLLOWED, alarm: () => reason };
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads,
    stall: () => undefined,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    open: () => standInServices({ l1, following: () => following }),
  });
  expect(role.following()).toBeNull();
  reason = "block 7 is another one on L1";
  expect(role.following()).toEqual({ highestBlock: undefined, isInSync: true, reason });
  await role.change(changeTo(FULL_NODE));
  expect(role.following()).toEqual({ ...following, reason });
});

test("a node that cannot follow L1 is ready and reports why it does not", async () => {
  const { threads } = standInThreads(SEQUENCER.threads);
  await threads.started;
  let l1NotFollowed: string | undefined = "the endpoints contradict each other";
  const following = { highestBlock: 6, isInSync: false, reason: "a block is refused" };
  const l1 = { ...L1_NOT_FOLLOWED, finding: () => l1NotFollowed };
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads,
    stall: () => undefined,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    open: () => standInServices({ l1, following: () => following }),
  });
  const none = { highestBlock: undefined, isInSync: true, reason: undefined };
  expect(role.following()).toEqual({ ...none, l1NotFollowed });
  await role.change(changeTo(FULL_NODE));
  expect(role.following()).toEqual({ ...following, l1NotFollowed });
  l1NotFollowed = undefined;
  expect(role.following()).toEqual(following);
});

test("a role is not ready while its services raise an alarm", async () => {
  const { threads } = standInThreads(SEQUENCER.threads);
  await threads.started;
  let reason: string | undefined = "block 7 has been waiting";
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads,
    stall: () => undefined,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    open: () => standInServices({ alarm: () => reason }),
  });
  expect(role.following()).toEqual({ highestBlock: undefined, isInSync: true, reason });
  reason = undefined;
  expect(role.following()).toBeNull();
});

test("any role is not ready while a thread is stalled, which is the first reason", async () => {
  const { threads } = standInThreads(SEQUENCER.threads);
  await threads.started;
  let stalled: string | undefined;
  const following = { highestBlock: 6, isInSync: true, reason: "block 7 is refused" };
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads,
    stall: () => stalled,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    open: () => standInServices({ following: () => following }),
  });
  expect(role.following()).toBeNull();
  stalled = "the committer thread has made no progress";
  expect(role.following()?.reason).toBe(stalled);
  await role.change(changeTo(FULL_NODE));
  expect(role.following()).toEqual({ ...following, reason: stalled });
  stalled = undefined;
  expect(role.following()).toEqual(following);
});

test("a role change holds L1 following, and the next role checks L1 again", async () => {
  const { threads } = standInThreads(SEQUENCER.threads);
  await threads.started;
  const notes: string[] = [];
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads,
    stall: () => undefined,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    open({ name }) {
      const note = (what: string) => () => void notes.push(`${name}: ${what}`);
      const l1 = {
        alarm: () => undefined,
        finding: () => undefined,
        hold: note("hold"),
        release: note("release"),
        stop: note("stop"),
      };
      return standInServices({ l1, interrupt: note("interrupt"), close: l1.stop });
    },
  });
  await role.restart(() => Promise.resolve(void notes.push("work")));
  expect(notes.splice(0)).toEqual([
    "sequencer: hold",
    "sequencer: interrupt",
    "work",
    "sequencer: release",
  ]);
  await role.change(changeTo(FULL_NODE));
  expect(notes).toEqual([
    "sequencer: hold",
    "sequencer: interrupt",
    "sequencer: stop",
    "full node: release",
  ]);
});
