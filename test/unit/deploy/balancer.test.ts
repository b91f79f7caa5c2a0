import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { nodeOptions } from "#app/options/index.ts";
import { textOf } from "#test/helpers/deploy.ts";
import { freePort } from "#test/helpers/binary.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const CONFIG = resolve(import.meta.dir, "../../../deploy/fleet/haproxy.cfg");
const TEXT = textOf("deploy/fleet/haproxy.cfg");
/** Variables of a complete fleet. */
const ALL = { NODE_2: "set", NODE_3: "set", SEQUENCER_B: "set" };
const HAPROXY = process.env["HAPROXY"] ?? Bun.which("haproxy");

/** A gateway that leads or follows, and the bodies that it received. */
class StandInSequencer {
  leads = false;
  readonly bodies: string[] = [];
  #server: ReturnType<typeof Bun.serve> | undefined;
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  start(): void {
    this.#server = Bun.serve({
      ...{ port: this.port, hostname: "127.0.0.1" },
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/health") return new Response("OK");
        if (pathname === "/leader") return new Response("", { status: this.leads ? 200 : 503 });
        this.bodies.push(await request.text());
        return Response.json({ port: this.port });
      },
    });
  }

  async stop(): Promise<void> {
    await this.#server?.stop(true);
  }
}

describe("haproxy.cfg of the fleet", () => {
  test.each([
    ["three nodes", {}],
    ["two nodes", { NODE_3: "" }],
    ["one node and one sequencer", { NODE_2: "", NODE_3: "", SEQUENCER_B: "" }],
  ])("has an address for every server with %s", (_, empty: Readonly<Record<string, string>>) => {
    const servers = linesFor(TEXT, { ...ALL, ...empty })
      .filter((line) => line.startsWith("server "))
      .map((line) => line.replace(/"\$\{(\w+)\}"/, (__, name: string) => empty[name] ?? name));
    expect(servers.length).toBeGreaterThanOrEqual(5);
    expect(servers.filter((line) => !/^server [\w-]+ \w+/.test(line))).toEqual([]);
  });

  test("sends submissions to a standby while no sequencer leads, longer than the standby holds them", () => {
    const [, leader = ""] = /^backend leader\n([^]*?)\n\n/m.exec(TEXT) ?? [];
    for (const seat of ["a", "b"]) {
      const backup = `server standby-${seat} "\${SEQUENCER_${seat.toUpperCase()}}" no-check backup track standbys/sequencer-${seat}`;
      expect(leader).toContain(backup);
    }
    expect(nodeOptions.replication.takeoverHoldMs.defaultText).toBe("15s");
    expect(Number(/timeout server (\d+)s/.exec(TEXT)?.[1])).toBeGreaterThan(15);
  });
});

/** Lines of a configuration that HAProxy reads with an environment: those of `.if !streq("${NAME}","")` whose name is set. */
function linesFor(config: string, environment: Readonly<Record<string, string>>): string[] {
  let isRead = true;
  return config.split("\n").flatMap((line) => {
    const [, name] = /^ *\.if !streq\("\$\{(\w+)\}",""\)$/.exec(line) ?? [];
    if (name !== undefined) isRead = (environment[name] ?? "") !== "";
    else if (line.trim() === ".endif") isRead = true;
    else return isRead ? [line.trim()] : [];
    return [];
  });
}

/** Skips by test: hooks of a skipped group would count as skipped tests without a name. */
const withProgram = (name: string, tests: () => void): void =>
  HAPROXY === null ? test.skip(name, tests) : describe(name, tests);

withProgram("[haproxy] haproxy.cfg of the fleet", () => {
  const folder = useFolder();
  let environment: Record<string, string>;
  let first: StandInSequencer;
  let second: StandInSequencer;

  beforeAll(async () => {
    const names = ["RPC", "PINNED", "GATEWAY", "METRICS"].map((name) => `BALANCER_${name}`);
    const ports = await Promise.all([...names, "A", "B"].map(() => freePort()));
    first = new StandInSequencer(ports[4] ?? 0);
    second = new StandInSequencer(ports[5] ?? 0);
    environment = {
      ...Object.fromEntries(names.map((name, i) => [name, `127.0.0.1:${ports[i]}`])),
      ...{ NODE_1: "127.0.0.1:1", NODE_2: "127.0.0.1:2", NODE_3: "127.0.0.1:3" },
      SEQUENCER_A: `127.0.0.1:${first.port}`,
      SEQUENCER_B: `127.0.0.1:${second.port}`,
    };
  });

  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
  });

  test.each([
    ["three nodes", []],
    ["two nodes", ["NODE_3"]],
    ["one node and one sequencer", ["NODE_2", "NODE_3", "SEQUENCER_B"]],
  ])("starts with %s, whether other variables are unset or empty", (_, missing) => {
    const unset = Object.entries(environment).filter(([name]) => !missing.includes(name));
    const empty = { ...environment, ...Object.fromEntries(missing.map((name) => [name, ""])) };
    for (const env of [Object.fromEntries(unset), empty]) {
      const { stderr, exitCode } = Bun.spawnSync([HAPROXY ?? "", "-c", "-f", CONFIG], { env });
      expect([exitCode, stderr.toString().match(/\[(ALERT|WARNING)\].*/g)]).toEqual([0, null]);
    }
  });

  test("sends submissions to the leader, and to a standby after the leader stops", async () => {
    first.leads = true;
    first.start();
    second.start();
    await using _haproxy = started([HAPROXY ?? "", "-f", CONFIG], environment, folder.path);
    const url = `http://${environment["BALANCER_GATEWAY"]}/gateway/add_transaction`;
    const post = async (body: string): Promise<number | undefined> => {
      const response = await fetch(url, { method: "POST", body }).catch(() => undefined);
      return response?.status === 200
        ? ((await response.json()) as { port: number }).port
        : undefined;
    };
    // Every server counts as healthy until its first check.
    const untilAllGoTo = async ({ port }: StandInSequencer): Promise<void> => {
      for (let inRow = 0; inRow < 10; await Bun.sleep(20)) {
        inRow = (await post("")) === port ? inRow + 1 : 0;
      }
    };
    await untilAllGoTo(first);
    await first.stop();
    for (let i = 0; i < 20; i++) expect([i, await post(`second ${i}`)]).toEqual([i, second.port]);
    // The former leader returns as a follower.
    second.leads = true;
    first.leads = false;
    first.start();
    await untilAllGoTo(second);
  });
});

/** A process that is killed at the end of its scope. */
function started(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): AsyncDisposable {
  const child = Bun.spawn([...command], { env, cwd, stdout: "ignore", stderr: "ignore" });
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
