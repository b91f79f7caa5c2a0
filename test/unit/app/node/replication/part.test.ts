import { expect, test } from "bun:test";
import type { ActiveRole, RoleChange } from "#app/node/replication/active-role.ts";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import { NO_L1 } from "#app/node/l1/l1-connection.ts";
import { openReplication } from "#app/node/replication/part.ts";
import type { SharedChain } from "#app/node/replication/open-shared.ts";
import type { OpenedStorage } from "#app/node/storage/part.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import type { ReplicationOptions } from "#app/node/setup/replication.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { blockKey } from "#services/replication/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { instanceOf, pass, storedLeader, writeLeader } from "#test/helpers/leader-records.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";
import { nodeHost } from "#test/helpers/node-host.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { replicationOptions } from "#test/helpers/options.ts";

const NEWEST = 3;
const SHARED = replicationOptions({
  standby: { takeoverAfterMs: 4_000 },
  advertisedGateway: "http://b:8080",
});

/** The replication of a node, with a test in place of its roles. */
function world(replication: ReplicationOptions | null, follow: NodeSetup["follow"] = null) {
  const store = new MemoryObjectStore();
  store.objects.set(blockKey(NEWEST), new Uint8Array());
  const timer = new FakeTimer();
  const changes: RoleChange[] = [];
  const setup = {
    ...ORDINARY_SETUP,
    config: { chainId: "TEST" },
    files: nodeFiles("/nowhere", null),
    follow,
  } as unknown as NodeSetup;
  const chain = numberedChain(NEWEST, () => nonceState());
  const host = nodeHost({ timer });
  const afterThreads = new AsyncDisposableStack();
  const shared = { instance: instanceOf("b"), store } as unknown as SharedChain;
  const part = openReplication(
    { replication, trustClock: true },
    {
      storage: {
        setup,
        view: ChainView.ofStored(chain, timer),
        stored: { epoch: () => 5 } as unknown as OpenedStorage["stored"],
        origin: null,
      },
      l1: NO_L1,
      shared: replication === null ? null : shared,
      endpoints: { gateway: null },
      roles: {
        services: { forwardedSubmissions: () => [] },
        change: (change: RoleChange) => Promise.resolve(void changes.push(change)),
      } as unknown as ActiveRole,
      reverts: { stored: () => Promise.resolve() },
      afterThreads,
    },
    host,
  );
  return { part, store, timer, changes, host, afterThreads };
}

/** A standby that has taken the place of a silent leader. */
async function leading() {
  const opened = world(SHARED);
  writeLeader(opened.store, { epoch: 5, newestBlock: NEWEST });
  opened.part.begin((leadership) => leadership.follow());
  await pass(opened.timer, 5_000);
  opened.part.publication.onPublished();
  await pass(opened.timer, 100);
  return opened;
}

test("a chain of one sequencer is led by the node that does not follow", () => {
  expect(world(null).part.leads()).toBe(true);
  expect(world(null, {} as NonNullable<NodeSetup["follow"]>).part.leads()).toBe(false);
});

test("a chain of one sequencer has no leader to forward to, and nothing to begin", () => {
  const { part } = world(null);
  expect(part.leader).toBeNull();
  part.begin(() => {
    throw new TypeError("nothing begins");
  });
});

test("a standby that follows does not lead, and knows the leader's address", async () => {
  const { part, store, timer } = world(SHARED);
  writeLeader(store, { gatewayUrl: "http://a:8080/", epoch: 5 });
  part.begin((leadership) => leadership.follow());
  await pass(timer, 1_000);
  expect(part.leads()).toBe(false);
  expect(part.leader?.()?.gateway).toBe("http://a:8080/gateway");
});

test("a node whose thread stalls gives up leading", async () => {
  const { part, timer, store } = await leading();
  expect(part.leads()).toBe(true);
  part.giveUp("the executor thread stalls");
  await pass(timer, 2_000);
  expect(part.leads()).toBe(false);
  expect(storedLeader(store)?.hasStopped).toBe(true);
});

test("a node that stops changes its role no more, and gives up its lease after its threads", async () => {
  const { host, afterThreads, store, timer, changes } = await leading();
  const before = changes.length;
  await host.disposables.disposeAsync();
  expect(storedLeader(store)?.hasStopped).toBe(false);
  await afterThreads.disposeAsync();
  expect(storedLeader(store)?.hasStopped).toBe(true);
  await pass(timer, 20_000);
  expect(changes).toHaveLength(before);
});
