import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { run, startedWith } from "./run.ts";

const STORE = "s3://chain/x?endpoint=http://127.0.0.1:7070&region=here";
const OPENED = {
  bucket: "chain",
  prefix: "x",
  endpoint: "http://127.0.0.1:7070",
  region: "here",
  credentialsFile: null,
};
const sequencer = (...more: readonly string[]) =>
  startedWith(["sequencer", "--preset", "devnet", ...more]);

describe("a sequencer that shares its chain", () => {
  test("leads by default, and has no development features", async () => {
    const { replication, follow, devnet, devAccounts, notices } = await sequencer(
      "--publish-gate",
      STORE,
    );
    expect(replication).toMatchObject({
      store: OPENED,
      standby: null,
      publishTimeoutMs: 10_000,
      takeoverHoldMs: 15_000,
      advertisedGateway: null,
    });
    expect([follow, devnet, devAccounts?.count]).toEqual([null, null, 10]);
    expect(notices.map(({ message }) => message).join("\n")).toContain(
      "no development features with --publish-gate",
    );
  });

  test("follows the store as a standby, and takes over after a given silence", async () => {
    const more = ["--standby", "--takeover-after", "2500", "--advertise-gateway", "http://b:8080"];
    const file = ["--object-store-credentials-file", "keys"];
    const { role, replication, follow } = await sequencer(
      "--publish-gate",
      STORE,
      ...more,
      ...file,
    );
    const store = { ...OPENED, credentialsFile: resolve("keys") };
    expect(replication).toMatchObject({
      store,
      standby: { takeoverAfterMs: 2_500 },
      publishTimeoutMs: 10_000,
      takeoverHoldMs: 15_000,
      advertisedGateway: "http://b:8080",
    });
    expect([role, follow?.store, follow?.gateways]).toEqual(["sequencer", store, []]);
  });

  test("gives up leadership after the publish timeout, within bounds", async () => {
    const gate = ["--publish-gate", STORE, "--publish-timeout"];
    const { replication } = await sequencer(...gate, "30s");
    expect(replication?.publishTimeoutMs).toBe(30_000);
    for (const text of ["4s", "3601s", "10", "soon"]) {
      const { code, err } = await run(["sequencer", "--preset", "devnet", ...gate, text]);
      expect([code, err]).toEqual([2, expect.stringContaining("--publish-timeout")]);
    }
  });

  test("holds submissions for the given time, within bounds", async () => {
    const gate = ["--publish-gate", STORE, "--takeover-hold"];
    for (const [text, takeoverHoldMs] of [
      ["0s", 0],
      ["3s", 3_000],
      ["60s", 60_000],
    ] as const) {
      expect((await sequencer(...gate, text)).replication).toMatchObject({ takeoverHoldMs });
    }
    for (const text of ["61s", "10", "soon"]) {
      const { code, err } = await run(["sequencer", "--preset", "devnet", ...gate, text]);
      expect([code, err]).toEqual([2, expect.stringContaining("from 0s to 1min")]);
    }
  });

  test("takes over after four seconds by default, and two at least", async () => {
    const { replication } = await sequencer("--publish-gate", STORE, "--standby");
    expect(replication?.standby).toEqual({ takeoverAfterMs: 4_000 });
    const line = ["sequencer", "--preset", "devnet", "--publish-gate", STORE, "--standby"];
    const { code, err } = await run([...line, "--takeover-after", "1999"]);
    expect([code, err]).toEqual([2, expect.stringContaining("integer from 2000 to 600000")]);
  });
});

test("an unshared sequencer has development features, and requires a store for a standby", async () => {
  const { replication, devnet } = await sequencer();
  expect([replication, devnet?.blocks]).toEqual([null, "configured"]);
  const { code, err } = await run(["sequencer", "--preset", "devnet", "--standby"]);
  expect([code, err]).toEqual([2, expect.stringContaining("set --publish-gate")]);
});

test("a full node ignores the sequencer's options, with a notice", async () => {
  const { replication, notices } = await startedWith([
    "node",
    "--preset",
    "mainnet",
    "--publish-gate",
    STORE,
    "--standby",
  ]);
  expect(replication).toBeNull();
  expect(notices.map(({ message }) => message)).toEqual([
    expect.stringContaining("--publish-gate"),
    expect.stringContaining("--standby"),
  ]);
});
