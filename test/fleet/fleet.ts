import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { type AccountEntry, BINARY, freePort } from "#test/helpers/binary.ts";
import { Member } from "./member.ts";

const DEPLOY = resolve(import.meta.dir, "../../deploy/fleet");

/** Accounts that have tokens from the first block on. */
const DEV_ACCOUNTS = 100;

const STORE_KEYS = { accessKey: "fleet-access", secretKey: "fleet-secret-key" };

/** Programs that run in addition to the chain's. */
export interface FleetPrograms {
  readonly versitygw: string;
  readonly haproxy: string;
  readonly prometheus: string;
}

/** A fleet as in `deploy/fleet/compose.yaml`, as processes of this machine. */
export interface Fleet {
  readonly store: Member;
  /** Leads initially. */
  readonly sequencerA: Member;
  readonly sequencerB: Member;
  readonly nodes: readonly [Member, Member, Member];
  readonly balancer: Member;
  readonly prometheus: Member;
  /** All members in the order of their start. */
  readonly members: readonly Member[];
  readonly urls: FleetUrls;
  /** Funded accounts with public keys, as printed by the first start of the chain. */
  accounts(): readonly AccountEntry[];
}

/** URLs of a fleet. */
export interface FleetUrls {
  /** JSON-RPC through the balancer. */
  readonly rpc: string;
  /** JSON-RPC through the balancer, on the node that the client's address is assigned to. */
  readonly pinned: string;
  readonly gateway: string;
  readonly prometheus: string;
  /** JSON-RPC of the nodes, without the balancer. */
  readonly nodes: readonly string[];
}

interface Ports {
  readonly rpc: number;
  readonly gateway: number;
  readonly metrics: number;
}

const ports = async (): Promise<Ports> => ({
  rpc: await freePort(),
  gateway: await freePort(),
  metrics: await freePort(),
});
const local = (port: number): string => `127.0.0.1:${port}`;

/** Creates a fleet in a folder without starting it. */
export async function createFleet(programs: FleetPrograms, folder: string): Promise<Fleet> {
  const storePort = await freePort();
  const [a, b] = [await ports(), await ports()];
  const nodePorts = [await ports(), await ports(), await ports()] as const;
  const balancerPorts = { ...(await ports()), pinned: await freePort() };
  const prometheusPort = await freePort();

  mkdirSync(join(folder, "store", "chain"), { recursive: true });
  const store = new Member("store", {
    command: [programs.versitygw, ...["--port", local(storePort), "posix", join(folder, "store")]],
    environment: {
      ROOT_ACCESS_KEY: STORE_KEYS.accessKey,
      ROOT_SECRET_KEY: STORE_KEYS.secretKey,
    },
  });

  const node = (
    name: string,
    own: Ports,
    words: readonly string[],
    started: (command: readonly string[]) => readonly string[] = (command) => command,
  ): Member =>
    new Member(name, {
      command: started([
        ...[BINARY, ...words, "--preset", "devnet", "--name", name],
        ...["--base-path", join(folder, name)],
        ...["--rpc-port", String(own.rpc), "--metrics-port", String(own.metrics)],
        ...["--gateway-port", String(own.gateway)],
      ]),
      environment: {
        AWS_ACCESS_KEY_ID: STORE_KEYS.accessKey,
        AWS_SECRET_ACCESS_KEY: STORE_KEYS.secretKey,
      },
      upUrl: `http://${local(own.rpc)}/health`,
    });
  const key = join(folder, "block-signing.key");
  writeFileSync(key, "0x5eed0f1ee7\n", { mode: 0o600 });
  const accountsFile = join(folder, "accounts.json");
  const shared = [
    ...["sequencer", "--private-key-file", key, "--block-time", "2s"],
    ...["--dev-accounts", String(DEV_ACCOUNTS)],
    ...["--publish-gate", `s3://chain/fleet?endpoint=http://${local(storePort)}`],
  ];
  const first = [...shared, "--config-out", accountsFile];
  const sequencerA = node("sequencer-a", a, first, standbyOnceItHas(join(folder, "sequencer-a")));
  const sequencerB = node("sequencer-b", b, [...shared, "--standby"]);
  const gateways = [a, b].flatMap((own) => ["--gateway-url", `http://${local(own.gateway)}`]);
  const nodeOf = (index: 0 | 1 | 2): Member =>
    node(`node-${index + 1}`, nodePorts[index], ["node", ...gateways]);
  const nodes = [nodeOf(0), nodeOf(1), nodeOf(2)] as const;

  const balancer = new Member("balancer", {
    command: [programs.haproxy, "-f", join(DEPLOY, "haproxy.cfg")],
    environment: {
      BALANCER_RPC: local(balancerPorts.rpc),
      BALANCER_PINNED: local(balancerPorts.pinned),
      BALANCER_GATEWAY: local(balancerPorts.gateway),
      BALANCER_METRICS: local(balancerPorts.metrics),
      NODE_1: local(nodePorts[0].rpc),
      NODE_2: local(nodePorts[1].rpc),
      NODE_3: local(nodePorts[2].rpc),
      SEQUENCER_A: local(a.gateway),
      SEQUENCER_B: local(b.gateway),
    },
    upUrl: `http://${local(balancerPorts.metrics)}/metrics`,
  });

  const metricsOf: Readonly<Record<string, number>> = {
    "sequencer-a:9615": a.metrics,
    "sequencer-b:9615": b.metrics,
    "node-1:9615": nodePorts[0].metrics,
    "node-2:9615": nodePorts[1].metrics,
    "node-3:9615": nodePorts[2].metrics,
    "balancer:8405": balancerPorts.metrics,
  };
  const config = join(folder, "prometheus.yml");
  writeFileSync(
    config,
    prometheusConfig((target) => local(metricsOf[target] ?? 0)),
  );
  const prometheus = new Member("prometheus", {
    command: [
      programs.prometheus,
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "prometheus")}`,
      `--web.listen-address=${local(prometheusPort)}`,
    ],
    upUrl: `http://${local(prometheusPort)}/-/ready`,
  });

  return {
    store,
    sequencerA,
    sequencerB,
    nodes,
    balancer,
    prometheus,
    members: [store, sequencerA, sequencerB, ...nodes, balancer, prometheus],
    urls: {
      rpc: `http://${local(balancerPorts.rpc)}`,
      pinned: `http://${local(balancerPorts.pinned)}`,
      gateway: `http://${local(balancerPorts.gateway)}`,
      prometheus: `http://${local(prometheusPort)}`,
      nodes: nodePorts.map(({ rpc }) => `http://${local(rpc)}`),
    },
    accounts: () =>
      (JSON.parse(readFileSync(accountsFile, "utf8")) as { accounts: AccountEntry[] }).accounts,
  };
}

/** Like the compose file: the first start creates the chain. */
function standbyOnceItHas(folder: string): (command: readonly string[]) => readonly string[] {
  const script = `exec "$@" $([ -e '${folder}/chain.db' ] && echo --standby)`;
  return (command) => ["bash", "-c", script, "bash", ...command];
}

interface PrometheusConfig {
  global: { scrape_interval: string; evaluation_interval: string };
  rule_files: string[];
  scrape_configs: { static_configs: { targets: string[] }[] }[];
}

/** `deploy/fleet/prometheus.yml` with these addresses, scraping every second. */
function prometheusConfig(addressOf: (target: string) => string): string {
  const config = parse(readFileSync(join(DEPLOY, "prometheus.yml"), "utf8")) as PrometheusConfig;
  config.global = { scrape_interval: "1s", evaluation_interval: "1s" };
  config.rule_files = config.rule_files.map((file) => join(DEPLOY, file));
  for (const { static_configs: configs } of config.scrape_configs) {
    for (const each of configs) each.targets = each.targets.map(addressOf);
  }
  return stringify(config);
}
