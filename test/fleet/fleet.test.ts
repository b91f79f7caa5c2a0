import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rawCall } from "#test/helpers/binary.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import {
  alertExpressions,
  dashboardExpressions,
  isMetric,
  metricsOf,
} from "#test/helpers/fleet-expressions.ts";
import { createFleet, type Fleet } from "./fleet.ts";
import { FleetLoad } from "./load.ts";
import { until } from "./member.ts";
import { PrometheusClient } from "./prometheus.ts";

/** Blocks that a node behind the balancer may be behind: `max_lag` of haproxy.cfg. */
const MAX_LAG = 3;
const TRANSFERS_PER_SECOND = Number(process.env["TRANSFERS_PER_SECOND"] ?? 200);
const PAUSE_MS = 20_000;
const STEADY_MS = 5_000;
const TIMEOUT_MS = 300_000;

const {
  VERSITYGW: versitygw = "",
  HAPROXY: haproxy = "",
  PROMETHEUS: prometheus = "",
} = process.env;
const folder = useFolder();
let fleet: Fleet;

beforeAll(async () => {
  fleet = await createFleet({ versitygw, haproxy, prometheus }, folder.path);
  for (const member of fleet.members) await member.start();
}, TIMEOUT_MS);

afterAll(async () => {
  for (const member of fleet.members.toReversed()) await member.end("SIGKILL");
});

/** Newest block of an address; `undefined`: it has none, or gives no answer. */
async function newest(url: string): Promise<number | undefined> {
  const { result } = await rawCall(url, "starknet_blockNumber").catch(() => ({
    result: undefined,
  }));
  return typeof result === "number" ? result : undefined;
}

/** Waits until all nodes get requests. */
async function untilAllServe(): Promise<void> {
  const { nodes, balancer, urls } = fleet;
  await until("every node is ready", [...nodes, balancer], async () => {
    const answers = urls.nodes.map((url) => fetch(`${url}/ready?max_lag=${MAX_LAG}`));
    return (await Promise.all(answers)).every(({ status }) => status === 200);
  });
  // The balancer looks six times, every half second.
  await Bun.sleep(4_000);
}

test(
  "a block is answered through the balancer",
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

  test("sees every node and the balancer", async () => {
    await until("all are scraped", [fleet.prometheus], async () => {
      const health = await client().health();
      return health.length === 6 && health.every((each) => each === "up");
    });
  });

  test.each([...alertExpressions(), ...dashboardExpressions()])(
    "evaluates $name, which names only metrics that there are",
    async (expression) => {
      const names = new Set([...(await client().names()), "up"]);
      expect(metricsOf(expression).filter((name) => !isMetric(name, names))).toEqual([]);
      await client().query(expression.expr);
    },
  );

  test("has nothing to tell of a fleet in order", async () => {
    await untilAllServe();
    for (const { name, expr } of alertExpressions()) {
      expect([name, await client().query(expr)]).toEqual([name, []]);
    }
  });
});

describe(`at ${TRANSFERS_PER_SECOND} transfers/s through the balancer`, () => {
  test(
    "nobody sees that nodes are killed, paused and restarted",
    async () => {
      await untilAllServe();
      const signers = fleet.accounts().map(({ address, private_key: privateKey }) => {
        return { address: BigInt(address), privateKey: BigInt(privateKey) };
      });
      const load = new FleetLoad(fleet.urls.rpc, signers);
      const [killed, paused, restarted] = fleet.nodes;
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
      expect(seen.accepted).toBe(seen.received);
      expect(seen.unknown).toBe(0);
      expect(seen.backwards).toBeLessThanOrEqual(MAX_LAG);
    },
    TIMEOUT_MS,
  );
});
