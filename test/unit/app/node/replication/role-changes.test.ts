import { expect, test } from "bun:test";
import { RoleChanges } from "#app/node/replication/role-changes.ts";
import type { RevertOrder } from "#app/node/threads/revert-messages.ts";
import type { RoleChange } from "#app/node/replication/active-role.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { STANDBY } from "#app/node/threads/roles/standby.ts";
import { StorageError } from "#base/errors/index.ts";
import { STAND_IN_SETUP } from "#test/helpers/stand-in-threads.ts";

function world(latest: number | undefined) {
  const done: (string | RevertOrder)[] = [];
  const changes: Omit<RoleChange, "work">[] = [];
  const fails = { making: false };
  const roles = new RoleChanges({
    role: {
      async change({ work, ...change }) {
        await work();
        changes.push(change);
      },
    },
    view: {
      chain: { latestNumber: () => latest },
      reset: (reorg) => void done.push(reorg === undefined ? "shown again" : "reorg"),
    },
    leaderSetup: (epoch) => ({ ...STAND_IN_SETUP, maxSteps: epoch }),
    standbySetup: STAND_IN_SETUP,
    beginMaking: () =>
      fails.making
        ? Promise.reject(new StorageError("STORAGE_FAILED", "disk"))
        : Promise.resolve(void done.push("noted")),
    revert: (order) => Promise.resolve(void done.push(order)),
  });
  return { roles, done, changes, fails };
}

test("leads after it has recorded its role, and publishes the stored blocks", async () => {
  const { roles, done, changes } = world(7);
  await roles.lead(4);
  expect(done).toEqual(["noted", "shown again"]);
  expect(changes).toEqual([{ role: SEQUENCER, setup: { ...STAND_IN_SETUP, maxSteps: 4 } }]);
});

test("keeps its role if that cannot be recorded", async () => {
  const { roles, changes, fails } = world(7);
  fails.making = true;
  expect(await roles.lead(4).then(() => "done", String)).toContain("disk");
  expect(changes).toEqual([]);
});

test("follows after it has reverted unpublished blocks, and keeps the mempool", async () => {
  const { roles, done, changes } = world(7);
  await roles.follow();
  expect(done).toEqual([
    { blockNumber: 7, keepReceived: true, keepL1Accepted: true },
    "shown again",
  ]);
  expect(changes).toEqual([{ role: STANDBY, setup: STAND_IN_SETUP }]);
});

test("reverts nothing on a chain without blocks", async () => {
  const { roles, done } = world(undefined);
  await roles.follow();
  expect(done).toEqual(["shown again"]);
});
