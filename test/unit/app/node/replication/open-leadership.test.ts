import { afterEach, expect, test } from "bun:test";
import { ChainView } from "#app/node/storage/chain/chain-view.ts";
import { Follower } from "#app/node/sync/follower.ts";
import type { RoleServices } from "#app/node/threads/roles/role-services.ts";
import { openLeadership, type OpenLeadershipDeps } from "#app/node/replication/open-leadership.ts";
import type { ActiveRole, RoleChange } from "#app/node/replication/active-role.ts";
import { NO_L1 } from "#app/node/l1/l1-connection.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import type { ReplicationOptions } from "#app/node/setup/replication.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { blockKey, type LeaderRecord } from "#services/replication/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { instanceOf, pass, storedLeader, writeLeader } from "#test/helpers/leader-records.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";
import { ORDINARY_SETUP } from "#test/helpers/node-setup.ts";
import { replicationOptions } from "#test/helpers/options.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const NEWEST = 3;
const OPTIONS = replicationOptions({
  standby: { takeoverAfterMs: 4_000 },
  advertisedGateway: "http://b:8080",
});

const folder = temporaryFolder();
afterEach(() => folder[Symbol.dispose]());

/** A standby whose role the test changes. */
function world(
  options: ReplicationOptions | null = OPTIONS,
  hostname = "127.0.0.1",
  services: Partial<RoleServices> = {},
) {
  const store = new MemoryObjectStore();
  store.objects.set(blockKey(NEWEST), new Uint8Array());
  const timer = new FakeTimer();
  const changes: RoleChange[] = [];
  const ends: (LeaderRecord | undefined)[] = [];
  const lines: string[] = [];
  const setup = {
    ...ORDINARY_SETUP,
    config: { chainId: "TEST" },
    files: nodeFiles(folder.path, null),
    l1Prices: { l1GasWei: 1n, l1DataGasWei: 2n, friPerWei: { numerator: 1n, denominator: 1n } },
  } as unknown as NodeSetup;
  const role = {
    services,
    change: (change: RoleChange) => Promise.resolve(void changes.push(change)),
  } as unknown as ActiveRole;
  const replica = openLeadership(
    { replication: options, trustClock: true },
    {
      setup,
      view: ChainView.ofStored(
        numberedChain(NEWEST, () => nonceState()),
        timer,
      ),
      stored: { epoch: (number) => (number === NEWEST ? 5 : undefined) },
      l1: NO_L1,
      shared: { instance: instanceOf("b"), store },
    },
    {
      listeners: { gateway: { hostname, port: 8080 } } as OpenLeadershipDeps["listeners"],
      role,
      metrics: createNodeMetrics(),
      revert: () => Promise.resolve(),
      onDeposed: (by) => void ends.push(by),
      onFailure: (error) => void lines.push(String(error)),
      log: createLogger({ level: "warn", format: "text", write: (line) => lines.push(line) }),
      timer,
    },
  );
  return { replica, store, timer, changes, ends, lines, setup };
}

test("a chain that is not shared has no leadership", () => {
  expect(world(null).replica).toBeNull();
});

test("forwards submissions to the gateway of another leader", async () => {
  const { replica, store, timer } = world();
  replica?.leadership.follow();
  await pass(timer, 100);
  expect(replica?.shared.leader()).toBeUndefined();
  writeLeader(store, { gatewayUrl: "http://a:8080/", epoch: 5 });
  await pass(timer, 1_000);
  expect(replica?.shared.leader()).toEqual({
    feeder: "http://a:8080/feeder_gateway",
    gateway: "http://a:8080/gateway",
  });
  // An earlier epoch than that of the newest block: no longer the leader.
  writeLeader(store, { gatewayUrl: "http://a:8080/", epoch: 4, counter: 2 });
  await pass(timer, 1_000);
  expect(replica?.shared.leader()).toBeUndefined();
  writeLeader(store, { gatewayUrl: null, epoch: 5, counter: 3 });
  await pass(timer, 1_000);
  expect(replica?.shared.leader()).toBeUndefined();
  replica?.leadership.freeze();
});

test("never forwards to its own address, unless that is configured", async () => {
  for (const [advertisedGateway, isKnown] of [
    [null, false],
    // For example, the address of a load balancer in front of both.
    ["http://127.0.0.1:8080", true],
  ] as const) {
    const { replica, store, timer } = world({ ...OPTIONS, advertisedGateway });
    writeLeader(store, { gatewayUrl: "http://127.0.0.1:8080", epoch: 5 });
    replica?.leadership.follow();
    await pass(timer, 1_000);
    expect(replica?.shared.leader() !== undefined).toBe(isKnown);
    replica?.leadership.freeze();
  }
});

test("warns that a gateway on all interfaces has no address for others", () => {
  const everywhere = { ...OPTIONS, advertisedGateway: null };
  expect(world(everywhere, "0.0.0.0").lines.join("")).toContain("--advertise-gateway");
  expect(world(everywhere, "::").lines.join("")).toContain("--advertise-gateway");
  expect(world(OPTIONS, "0.0.0.0").lines).toEqual([]);
  expect(world(everywhere, "10.0.0.7").lines).toEqual([]);
});

test("takes over from a silent leader in the next epoch, recorded with its first published block", async () => {
  const { replica, store, timer, changes, setup } = world();
  writeLeader(store, { epoch: 2, newestBlock: NEWEST });
  replica?.leadership.follow();
  await pass(timer, 5_000);
  // The newest block's epoch counts if it is higher than the record's.
  expect(changes.map(({ role }) => role.name)).toEqual(["sequencer"]);
  expect(changes[0]?.setup).toMatchObject({
    follow: null,
    gate: { store: OPTIONS.store, epoch: 6 },
    l1Prices: setup.l1Prices,
  });
  expect(storedLeader(store)?.epoch).toBe(2);
  replica?.shared.onPublished();
  await pass(timer, 100);
  expect(storedLeader(store)).toMatchObject({
    epoch: 6,
    instance: instanceOf("b"),
    newestBlock: NEWEST,
    gatewayUrl: "http://b:8080",
  });
  replica?.leadership.freeze();
});

test("asks the follower for the transactions that it forwarded before it makes blocks", async () => {
  let asked = 0;
  const follower = Object.assign(Object.create(Follower.prototype) as Follower, {
    forwardedSubmissions() {
      asked++;
      return [];
    },
  });
  const { replica, store, timer, changes } = world(OPTIONS, "127.0.0.1", follower);
  writeLeader(store, { epoch: 2, newestBlock: NEWEST });
  replica?.leadership.follow();
  await pass(timer, 5_000);
  // It fails later, because the folder of the test has no database.
  expect(changes[0]?.work()).rejects.toThrow();
  await Bun.sleep(0);
  expect(asked).toBe(1);
  replica?.leadership.freeze();
});

test("gives up leadership if it cannot publish while heartbeats succeed", async () => {
  const { replica, store, timer, lines } = world();
  writeLeader(store, { newestBlock: NEWEST, epoch: 5 });
  replica?.leadership.follow();
  await pass(timer, 5_000);
  replica?.shared.onPublished();
  replica?.shared.onWaiting("status 503");
  await pass(timer, OPTIONS.publishTimeoutMs / 2);
  replica?.shared.onWaiting(undefined);
  replica?.shared.onWaiting("status 503");
  await pass(timer, OPTIONS.publishTimeoutMs - 1_000);
  expect(lines.join("")).not.toContain("gives up");
  await pass(timer, 3_000);
  expect(lines.join("")).toContain("leadership is given up");
  expect(storedLeader(store)).toMatchObject({ epoch: 6, hasStopped: true });
});

test("follows again if its first block is refused, and ends if a later one is", async () => {
  const { replica, store, timer, changes, ends } = world();
  writeLeader(store, { newestBlock: NEWEST, epoch: 5 });
  replica?.leadership.follow();
  await pass(timer, 5_000);
  replica?.shared.onRefused();
  await pass(timer, 100);
  expect(changes.map(({ role }) => role.name)).toEqual(["sequencer", "standby"]);
  await pass(timer, 5_000);
  replica?.shared.onPublished();
  replica?.shared.onPublished();
  writeLeader(store, { epoch: 9, instance: instanceOf("c"), newestBlock: NEWEST });
  replica?.shared.onRefused();
  await pass(timer, 2_000);
  expect(changes.at(-1)?.role.name).toBe("standby");
  expect(ends).toMatchObject([{ epoch: 9, instance: instanceOf("c") }]);
  replica?.leadership.freeze();
});
