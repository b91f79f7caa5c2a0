import { expect, test } from "bun:test";
import { DEVNET } from "#app/node/threads/roles/devnet.ts";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { STANDBY } from "#app/node/threads/roles/standby.ts";
import type { SharedChain } from "#app/node/replication/open-shared.ts";
import { followStore } from "#app/node/setup/follow.ts";
import { initialRoleOf } from "#app/node/replication/initial-role.ts";
import type { Leadership } from "#services/replication/index.ts";
import { instanceOf, leaderRecord } from "#test/helpers/leader-records.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { DEVNET_OPTIONS } from "#test/helpers/node-options.ts";
import { replicationOptions } from "#test/helpers/options.ts";
import { STAND_IN_SETUP } from "#test/helpers/stand-in-threads.ts";

const STORE = {
  bucket: "chain",
  prefix: "x",
  endpoint: "http://127.0.0.1:1",
  region: "us-east-1",
  credentialsFile: null,
};
const ALONE = { devnet: null, follow: null, fork: null, replication: null };
const LEADS = {
  ...ALONE,
  replication: replicationOptions({ store: STORE }),
};

const shared = (given: Partial<SharedChain> = {}): SharedChain => ({
  store: new MemoryObjectStore(),
  position: { storedBlock: 7, publishedBlock: 7, epoch: 3 },
  leader: undefined,
  instance: instanceOf("a"),
  ...given,
});

/** Calls that leadership receives at its start. */
function begun(initial: ReturnType<typeof initialRoleOf>): unknown[] {
  const told: unknown[] = [];
  initial.begin({
    follow: () => void told.push("follow"),
    lead: (epoch: unknown) => void told.push(epoch),
  } as unknown as Leadership);
  return told;
}

test("follows the options on a chain that is not shared", () => {
  const devnet = { ...ALONE, devnet: DEVNET_OPTIONS };
  const follower = { ...ALONE, follow: followStore(STORE) };
  for (const [options, role] of [
    [ALONE, SEQUENCER],
    [devnet, DEVNET],
    [follower, FULL_NODE],
  ] as const) {
    const initial = initialRoleOf(options, STAND_IN_SETUP, null);
    expect([initial.role, initial.setup, begun(initial)]).toEqual([role, STAND_IN_SETUP, []]);
  }
});

test("follows the store as a standby", () => {
  const replication = { ...LEADS.replication, standby: { takeoverAfterMs: 4_000 } };
  const initial = initialRoleOf({ ...LEADS, replication }, STAND_IN_SETUP, shared());
  expect([initial.role, begun(initial)]).toEqual([STANDBY, ["follow"]]);
  expect(initial.setup).toEqual({
    ...STAND_IN_SETUP,
    follow: followStore(STORE),
    gate: null,
  });
});

test("follows first if published blocks are missing", () => {
  const position = { storedBlock: 5, publishedBlock: 7, epoch: 3 };
  const behind = initialRoleOf(LEADS, STAND_IN_SETUP, shared({ position }));
  expect([behind.role, begun(behind)]).toEqual([STANDBY, ["follow"]]);
});

test("continues the epoch of a former leader, otherwise starts the next one", () => {
  const own = leaderRecord({ epoch: 3 });
  for (const [leader, epoch, isNew, predecessor] of [
    [own, 3, false, own.run],
    [leaderRecord({ epoch: 3, instance: instanceOf("b") }), 4, true, null],
    [undefined, 4, true, null],
  ] as const) {
    const initial = initialRoleOf(LEADS, STAND_IN_SETUP, shared({ leader }));
    expect([initial.role, begun(initial)]).toEqual([SEQUENCER, [{ epoch, isNew, predecessor }]]);
    expect(initial.setup).toMatchObject({ follow: null, gate: { store: STORE, epoch } });
  }
});
