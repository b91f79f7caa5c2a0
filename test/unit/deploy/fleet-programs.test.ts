import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { parse } from "yaml";
import { textOf } from "#test/helpers/deploy.ts";

const ROOT = resolve(import.meta.dir, "../../..");

/** Output of a program that failed; empty if it succeeded. */
function complaints(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  const env = { ...process.env, ...environment };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: ROOT, env });
  return exitCode === 0 ? "" : `${stdout.toString()}${stderr.toString()}`;
}

// Each check runs if its program is installed; `scripts/test-fleet` needs them all.
const promtool = Bun.which("promtool");
if (promtool !== null) {
  test("promtool accepts the Prometheus configuration, and each alert fires as specified", () => {
    expect(complaints([promtool, "check", "config", "deploy/fleet/prometheus.yml"])).toBe("");
    expect(complaints([promtool, "test", "rules", "test/fleet/alerts.test.yml"])).toBe("");
  });
}

const haproxy = Bun.which("haproxy", { PATH: `${process.env["PATH"]}:/usr/sbin` });
if (haproxy !== null) {
  test("HAProxy accepts its configuration without a warning", () => {
    const { services } = parse(textOf("deploy/fleet/compose.yaml"), { merge: true }) as {
      services: { balancer: { environment: Readonly<Record<string, string>> } };
    };
    const check = [haproxy, "-c", "-dW", "-f", "deploy/fleet/haproxy.cfg"];
    // Host names of the compose network are unknown here.
    const addresses = Object.entries(services.balancer.environment).map(
      ([name, address]) => [name, address.replace(/^[\w-]+:/, "127.0.0.1:")] as const,
    );
    expect(complaints(check, Object.fromEntries(addresses))).toBe("");
  });
}

const compose = Bun.which("docker-compose");
if (compose !== null) {
  test("docker-compose accepts its file and requires the documented keys", () => {
    const check = [compose, "--file", "deploy/fleet/compose.yaml", "config", "--quiet"];
    expect(complaints(check, { STORE_ACCESS_KEY: "", STORE_SECRET_KEY: "" })).toContain(
      "see the head",
    );
    expect(complaints(check, { STORE_ACCESS_KEY: "a", STORE_SECRET_KEY: "b" })).toBe("");
  });
}
