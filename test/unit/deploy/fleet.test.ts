import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { ALL_COMMANDS } from "#app/cli/commands.ts";
import { environmentName, optionsIn } from "#app/options/index.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { textOf } from "#test/helpers/deploy.ts";
import {
  alertExpressions,
  dashboardExpressions,
  isMetric,
  metricsOf,
} from "#test/helpers/fleet-expressions.ts";

const FLEET = resolve(import.meta.dir, "../../../deploy/fleet");

/** Members of a service that these tests use. */
interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly [member: string]: unknown;
}

const COMPOSE = parse(textOf("deploy/fleet/compose.yaml"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const SERVICES = Object.entries(COMPOSE.services);
const NODES = SERVICES.filter(([, { image }]) => image === "appchain:development");
const CONFIG = textOf("deploy/fleet/haproxy.cfg");

const NODE_OPTIONS = ALL_COMMANDS.flatMap(({ options }) => optionsIn(options));
const VARIABLES = new Set(NODE_OPTIONS.map(({ flag }) => environmentName(flag)));
const FLAGS = new Set(NODE_OPTIONS.map(({ flag }) => `--${flag}`));

/** Metrics of Prometheus and HAProxy: `scripts/test-fleet` checks them at their source. */
const METRICS_OF_OTHERS = [
  "up",
  "haproxy_server_status",
  "haproxy_backend_active_servers",
  "haproxy_server_retry_warnings_total",
];

describe("expressions", () => {
  const { registry } = createNodeMetrics();

  test.each([...alertExpressions(), ...dashboardExpressions()])(
    "of $name use existing metrics",
    async (expression) => {
      const ours = (await registry.getMetricsAsJSON()).map(({ name }) => name);
      const metrics = new Set([...ours, ...METRICS_OF_OTHERS]);
      const named = metricsOf(expression);
      expect(named).not.toEqual([]);
      expect(named.filter((name) => !isMetric(name, metrics))).toEqual([]);
    },
  );

  test("of alerts cover what operators must know", () => {
    const named = new Set(alertExpressions().flatMap(metricsOf));
    for (const name of [
      "up",
      "appchain_l2_block_age_seconds",
      "appchain_sync_lag_blocks",
      "appchain_sync_refused",
      "appchain_l1_state_mismatch",
      "appchain_disk_free_bytes",
      "appchain_gate_waiting_seconds",
      "appchain_clock_jumps",
      "appchain_leader",
    ]) {
      expect([name, named.has(name)]).toEqual([name, true]);
    }
  });

  test("of alerts are explained in the operation manual by name", () => {
    const section =
      textOf("docs/operation.md")
        .split("\n## ")
        .find((each) => each.startsWith("A fleet")) ?? "";
    const explained = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? "");
    expect(explained.toSorted()).toEqual(
      alertExpressions()
        .map(({ name }) => name)
        .toSorted(),
    );
  });
});

describe("the compose file of a fleet", () => {
  test("has two sequencers, three full nodes, a store, a balancer and monitoring", () => {
    expect(SERVICES.map(([name]) => name)).toEqual([
      "store",
      "bucket",
      "sequencer-a",
      "sequencer-b",
      "node-1",
      "node-2",
      "node-3",
      "balancer",
      "prometheus",
      "grafana",
    ]);
    expect(NODES.map(([, { command }]) => command?.[0])).toEqual([
      ...[undefined, "sequencer", "node", "node", "node"],
    ]);
  });

  test("starts one sequencer that creates the chain, and only standbys on later starts", () => {
    expect(COMPOSE.services["sequencer-a"]?.["entrypoint"]).toEqual([
      ...["bash", "-c", "exec appchain sequencer $$([ -e /data/chain.db ] && echo --standby)"],
    ]);
    expect(COMPOSE.services["sequencer-b"]?.command).toContain("--standby");
  });

  test.each(NODES)("%s uses existing options, without those of the runtime", (_, service) => {
    const { command = [], environment = {} } = service;
    expect(command.filter((word) => word.startsWith("--") && !FLAGS.has(word))).toEqual([]);
    const ours = Object.keys(environment).filter((name) => name.startsWith("APPCHAIN_"));
    expect(ours.filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(environment["BUN_OPTIONS"]).toBe("");
  });

  test.each(NODES)("%s has minimal privileges and a separate volume", (name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      volumes: [`${name}:/data`],
    });
  });

  test("opens ports on this machine only, each once", () => {
    const ports = SERVICES.flatMap(([, { ports: opened = [] }]) => opened);
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
    expect(new Set(ports).size).toBe(ports.length);
  });

  test("uses fixed image versions, and keys from the user", () => {
    for (const [, { image }] of SERVICES)
      expect(image).toMatch(/:(development|v?\d+\.\d+(\.\d+)?)$/);
    const text = textOf("deploy/fleet/compose.yaml");
    expect(
      text.match(/(SECRET_ACCESS_KEY|ROOT_SECRET_KEY): (?!\$\{STORE_SECRET_KEY:\?)/),
    ).toBeNull();
  });

  test("mounts existing files and declared volumes", () => {
    for (const [, { volumes = [] }] of SERVICES) {
      for (const volume of volumes) {
        const [from = ""] = volume.split(":");
        const isThere = from.startsWith(".")
          ? existsSync(join(FLEET, from))
          : from in COMPOSE.volumes;
        expect([volume, isThere]).toEqual([volume, true]);
      }
    }
  });
});

describe("the balancer", () => {
  const balancer = COMPOSE.services["balancer"];

  test("gets exactly the addresses that its configuration uses", () => {
    const named = [...CONFIG.matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name ?? "");
    expect(Object.keys(balancer?.environment ?? {}).toSorted()).toEqual(
      [...new Set(named)].toSorted(),
    );
  });

  test("checks that nodes lag at most three blocks, and whether sequencers lead", () => {
    expect(CONFIG).toContain("uri /ready?max_lag=3 ");
    expect(CONFIG).toContain("uri /leader ");
  });

  test("waits longer for a response than a query may take", () => {
    const timeout = NODE_OPTIONS.find(({ flag }) => flag === "rpc-timeout");
    expect(timeout?.defaultText).toBe("30s");
    expect(Number(/timeout server (\d+)s/.exec(CONFIG)?.[1])).toBeGreaterThan(30);
  });
});

test("Prometheus scrapes every node and the balancer by their compose names", () => {
  const { rule_files: files, scrape_configs: jobs } = parse(
    textOf("deploy/fleet/prometheus.yml"),
  ) as {
    readonly rule_files: readonly string[];
    readonly scrape_configs: readonly {
      readonly static_configs: readonly { readonly targets: readonly string[] }[];
    }[];
  };
  const targets = jobs.flatMap(({ static_configs: configs }) =>
    configs.flatMap((each) => each.targets),
  );
  const nodes = NODES.map(([name]) => `${name}:9615`);
  expect(targets).toEqual([...nodes, "balancer:8405"]);
  for (const file of files) expect(existsSync(join(FLEET, file))).toBe(true);
});

describe("the systemd unit", () => {
  const unit = textOf("deploy/systemd/appchain.service");
  const sequencer = textOf("deploy/systemd/sequencer.conf");

  test("clears runtime variables and gains no new privileges", () => {
    expect(unit).toMatch(/^UnsetEnvironment=.*\bBUN_OPTIONS\b/m);
    expect(unit).toMatch(/^UnsetEnvironment=.*\bBUN_BE_BUN\b/m);
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
    expect(unit).toMatch(/^CapabilityBoundingSet=$/m);
    // The runtime compiles code at run time.
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
  });

  test("restarts after a failure, unless another sequencer deposed the node", () => {
    expect(unit).toMatch(/^Restart=on-failure$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=(\d+ )*4( \d+)*$/m);
    const [run] = ALL_COMMANDS;
    expect(run?.exitCodes[4]).toContain("another sequencer");
  });

  test("uses existing variables", () => {
    const named = [...`${unit}${sequencer}`.matchAll(/\bAPPCHAIN_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !VARIABLES.has(name))).toEqual([]);
  });

  // Only with systemd.
  if (Bun.which("systemd-analyze") !== null) {
    test("is valid for systemd", () => {
      const { stderr } = Bun.spawnSync([
        ...["systemd-analyze", "verify", "--man=no"],
        resolve(FLEET, "../systemd/appchain.service"),
      ]);
      // The executable is not installed here.
      const complaints = stderr
        .toString()
        .split("\n")
        .filter((line) => line.includes("appchain.service"));
      expect(complaints.filter((line) => !line.includes("is not executable"))).toEqual([]);
    });
  }
});

test("the dashboard is valid JSON, and each panel has an expression", () => {
  const { panels, uid } = JSON.parse(
    readFileSync(join(FLEET, "grafana/appchain.json"), "utf8"),
  ) as {
    readonly uid: string;
    readonly panels: readonly {
      readonly type: string;
      readonly title: string;
      readonly targets?: unknown[];
    }[];
  };
  expect(uid).toBe("appchain");
  const empty = panels.filter(({ type, targets = [] }) => type !== "row" && targets.length === 0);
  expect(empty).toEqual([]);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
});
