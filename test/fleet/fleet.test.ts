import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import type { Signer } from "#test/helpers/load.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import {
  alertExpressions,
  dashboardExpressions,
  type Expression,
  isMetric,
  metricsOf,
} from "#test/helpers/fleet-expressions.ts";
import { createFleet, type Fleet } from "./fleet.ts";
import { HeadListener } from "./head-listener.ts";
import { FleetLoad } from "./load.ts";
import { until } from "./member.ts";
import { PrometheusClient } from "./prometheus.ts";
import { slowClients } from "./slow-clients.ts";

/** Maximum lag of a node behind the balancer: `max_lag` of haproxy.cfg. */
const MAX_LAG = 3;
/** Connection limit per address. */
const MAX_CONNECTIONS = 500;
const TRANSFERS_PER_SECOND = Number(process.env["TRANSFERS_PER_SECOND"] ?? 200);
const PAUSE_MS = 20_000;
const STEADY_MS = 5_000;
const TIMEOUT_MS = 300_000;

const {
  VERSITYGW: versitygw = "",
  HAPROXY: haproxy = "",
  PROMETHEUS: prometheus = "",
} = process.env;

/** `scripts/test-fleet` sets all paths. */
const isAvailable = [versitygw, haproxy, prometheus].every((program) => program !== "");

describe.skipIf(!isAvailable)("a fleet", () => {
  const folder = useFolder();
  let fleet: Fleet;
  let signers: readonly Signer[] = [];

  beforeAll(async () => {
    fleet = await createFleet({ versitygw, haproxy, prometheus }, folder.path);
    for (const member of fleet.members) await member.start();
    signers = fleet.accounts().map(({ address, private_key: privateKey }) => {
      return { address: BigInt(address), privateKey: BigInt(privateKey) };
    });
  }, TIMEOUT_MS);

  afterAll(async () => {
    for (const member of fleet.members.toReversed()) await member.end("SIGKILL");
  });

  /** Newest block at an address; `undefined` if it has none or does not respond. */
  async function newest(url: string): Promise<number | undefined> {
    const { result } = await rawCall(url, "starknet_blockNumber").catch(() => ({
      result: undefined,
    }));
    return typeof result === "number" ? result : undefined;
  }

  /** Creates clients of the balancer that continue at the nonces of the accounts. */
  async function createLoad(): Promise<FleetLoad> {
    const { rpc } = fleet.urls;
    const nonces = signers.map(async ({ address }) => {
      const { result } = await rawCall(rpc, "starknet_getNonce", ["latest", hexFromFelt(address)]);
      return BigInt(result as string);
    });
    return new FleetLoad(rpc, signers, await Promise.all(nonces));
  }

  /** Highest epoch of the produced blocks. */
  async function highestEpoch(): Promise<number> {
    const [highest] = await new PrometheusClient(fleet.urls.prometheus).query(
      "max(appchain_epoch)",
    );
    return Number(highest?.value[1]);
  }

  /** Names of the alerts whose expressions have values now, ignoring their durations. */
  async function firingOf(alerts: readonly Expression[]): Promise<readonly string[]> {
    const client = new PrometheusClient(fleet.urls.prometheus);
    const values = await Promise.all(alerts.map(({ expr }) => client.query(expr)));
    return alerts.filter((_, i) => (values[i]?.length ?? 0) > 0).map(({ name }) => name);
  }

  /** Waits until all nodes get requests. */
  async function untilAllServe(): Promise<void> {
    const { nodes, balancer, urls } = fleet;
    await until("every node is ready", [...nodes, balancer], async () => {
      const answers = urls.nodes.map((url) => fetch(`${url}/ready?max_lag=${MAX_LAG}`));
      return (await Promise.all(answers)).every(({ status }) => status === 200);
    });
    // The balancer needs six checks, one every half second.
    await Bun.sleep(4_000);
  }

  test(
    "serves a block through the balancer",
    async () => {
      await until("the balancer answers", fleet.members, async () => {
        return ((await newest(fleet.urls.rpc)) ?? 0) > 0;
      });
      expect(await newest(fleet.urls.pinned)).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  describe("Prometheus", () => {
    const client = (): PrometheusClient => new PrometheusClient(fleet.urls.prometheus);

    test("scrapes every node and the balancer", async () => {
      await until("all are scraped", [fleet.prometheus], async () => {
        const health = await client().health();
        return health.length === 6 && health.every((each) => each === "up");
      });
    });

    test.each([...alertExpressions(), ...dashboardExpressions()])(
      "evaluates $name, which uses only existing metrics",
      async (expression) => {
        const names = new Set([...(await client().names()), "up"]);
        expect(metricsOf(expression).filter((name) => !isMetric(name, names))).toEqual([]);
        await client().query(expression.expr);
      },
    );

    test("fires no alert for a healthy fleet", async () => {
      await untilAllServe();
      expect(await firingOf(alertExpressions())).toEqual([]);
    });
  });

  describe(`at ${TRANSFERS_PER_SECOND} transfers/s through the balancer`, () => {
    test(
      "clients notice no kill, pause or restart of a node",
      async () => {
        await untilAllServe();
        const load = await createLoad();
        const [killed, paused, restarted] = fleet.nodes;
        const sockets = await Promise.all([1, 2, 3].map(() => HeadListener.open(fleet.urls.rpc)));
        load.begin(TRANSFERS_PER_SECOND);
        await Bun.sleep(STEADY_MS);
        await killed.end("SIGKILL");
        await Bun.sleep(STEADY_MS);
        await killed.start();
        await untilAllServe();
        paused.signal("SIGSTOP");
        await Bun.sleep(PAUSE_MS);
        paused.signal("SIGCONT");
        await untilAllServe();
        expect(await restarted.end("SIGTERM")).toBe(0);
        await restarted.start();
        await untilAllServe();
        await Bun.sleep(STEADY_MS);
        await load.end();
        const { seen } = load;
        console.log(JSON.stringify({ ...seen, errors: seen.errors.length }));
        expect(seen.errors.slice(0, 10)).toEqual([]);
        expect(seen.received).toBeGreaterThan(0);
        expect(seen.accepted).toBe(seen.received);
        expect(seen.unknown).toBe(0);
        expect(seen.backwards).toBeLessThanOrEqual(MAX_LAG);
        // Each stayed on its node: the paused node's until the end, the others until theirs was
        // stopped.
        for (const { heads } of sockets) {
          expect(heads.length).toBeGreaterThan(1);
          expect(heads).toEqual(heads.map((_, i) => (heads[0] ?? 0) + i));
        }
        expect(sockets.filter(({ isOpen }) => isOpen)).toHaveLength(1);
        for (const socket of sockets) socket.close();
      },
      TIMEOUT_MS,
    );
  });

  describe("clients of one address that open many connections and finish nothing", () => {
    test(
      "get a limited number of connections for a limited time, while others are served",
      async () => {
        const port = Number(new URL(fleet.urls.rpc).port);
        const slow = await slowClients(port, "127.0.0.2", MAX_CONNECTIONS + 100);
        expect(await newest(fleet.urls.rpc)).toBeGreaterThan(0);
        expect(slow.open).toBeLessThanOrEqual(MAX_CONNECTIONS);
        await until("they are ended", [fleet.balancer], () => slow.open === 0, 30_000);
        expect(await newest(fleet.urls.rpc)).toBeGreaterThan(0);
      },
      TIMEOUT_MS,
    );
  });

  describe("when the leader is killed", () => {
    test(
      "blocks continue, received transactions are included, and the balancer finds the new gateway",
      async () => {
        const load = await createLoad();
        load.begin(TRANSFERS_PER_SECOND / 10);
        await Bun.sleep(STEADY_MS);
        const before = (await newest(fleet.urls.rpc)) ?? 0;
        const epoch = await highestEpoch();
        await fleet.sequencerA.end("SIGKILL");
        await until("blocks go on", fleet.members, async () => {
          // A block that was published but not announced may come from the old leader.
          return ((await newest(fleet.urls.rpc)) ?? 0) > before + 1;
        });
        await until("the gateway is the new leader's", fleet.members, async () => {
          return (await fetch(`${fleet.urls.gateway}/leader`)).status === 200;
        });
        await Bun.sleep(STEADY_MS);
        await load.end();
        const { seen } = load;
        console.log(JSON.stringify({ ...seen, errors: seen.errors.length }));
        // No sequencer accepts transactions in between.
        expect(seen.errors.filter((each) => !each.startsWith("addInvoke"))).toEqual([]);
        expect(seen.received).toBeGreaterThan(0);
        expect(seen.accepted).toBe(seen.received);
        expect(await highestEpoch()).toBeGreaterThan(epoch);
        const firing = await firingOf(alertExpressions());
        expect(firing).toContain("AppchainDown");
        expect(firing).not.toContain("AppchainNoLeader");
        expect(firing).not.toContain("AppchainTwoLeaders");
      },
      TIMEOUT_MS,
    );

    test(
      "it returns as a standby",
      async () => {
        await fleet.sequencerA.start();
        const { sequencerA, prometheus } = fleet;
        const lag = 'appchain_sync_lag_blocks{job="appchain"} == 0 and appchain_leader == 0';
        await until("it follows", [sequencerA], async () => {
          return (await new PrometheusClient(fleet.urls.prometheus).query(lag)).length >= 4;
        });
        await until("one leads", [prometheus], async () => {
          const leading = await new PrometheusClient(fleet.urls.prometheus).query(
            "sum(appchain_leader)",
          );
          return leading[0]?.value[1] === "1";
        });
      },
      TIMEOUT_MS,
    );
  });

  describe("when the store is down", () => {
    test(
      "an alert fires after 30 s, and blocks continue once it recovers",
      async () => {
        fleet.store.signal("SIGSTOP");
        await until("it is told", fleet.members, async () =>
          (await firingOf(alertExpressions())).includes("AppchainGateWaiting"),
        );
        const before = (await newest(fleet.urls.rpc)) ?? 0;
        fleet.store.signal("SIGCONT");
        await until("blocks go on", fleet.members, async () => {
          return ((await newest(fleet.urls.rpc)) ?? 0) > before + 1;
        });
      },
      TIMEOUT_MS,
    );
  });
});
