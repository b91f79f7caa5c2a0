import { expect, test } from "bun:test";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { startedRole } from "#test/helpers/started-role.ts";
import { standInServices } from "#test/helpers/stand-in-services.ts";
import { changeTo, STAND_IN_SETUP, standInThreads } from "#test/helpers/stand-in-threads.ts";

test("a role that follows nothing is never behind; others report the status of their services", async () => {
  const { threads } = standInThreads(SEQUENCER.threads);
  await threads.started;
  const block = { number: 1, hash: 2n };
  const status = { startingBlock: block, currentBlock: block, highestBlock: block };
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    stall: () => undefined,
    open: () => standInServices({ syncStatus: () => status }),
  });
  expect(role.syncStatus()).toBe(false);
  await role.change(changeTo(FULL_NODE));
  expect(role.syncStatus()).toEqual(status);
});

test("a role that must be in sync reports its following status", async () => {
  const following = { highestBlock: 6, isInSync: false, reason: undefined };
  const { threads } = standInThreads(SEQUENCER.threads);
  await threads.started;
  const role = startedRole(SEQUENCER, STAND_IN_SETUP, {
    threads,
    queryPool: { hold: () => Promise.resolve(), release: () => undefined },
    stall: () => undefined,
    open: () => standInServices({ following: () => following }),
  });
  expect(role.following()).toBeNull();
  await role.change(changeTo(FULL_NODE));
  expect(role.following()).toEqual(following);
});
