import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { BINARY, freePort } from "#test/helpers/binary.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

/** A start that fails waits for nothing: far below the timeouts of threads, above a busy machine. */
const MAX_MS = stallBoundMs(5_000);

const folder = useFolder();
/** An existing chain that is not running. */
const chain = useStoppedChain();
const existing = chain.folder.path;
let unusedPort: number;
let busyPort: number;
let busy: Server;
let badKey: string;

beforeAll(async () => {
  badKey = folder.file("bad.key");
  writeFileSync(badKey, "nonsense\n");
  await chain.start();
  await chain.stop();
  unusedPort = await freePort();
  busy = createServer();
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
  busyPort = (busy.address() as { port: number }).port;
}, 60_000);

afterAll(() => void busy.close());

/** Runs a start that must fail. */
function refused(basePath: string, options: Readonly<Record<string, string>>) {
  const all = { "rpc-port": "0", "metrics-port": "off", ...options };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const startedMs = performance.now();
  const { exitCode, stderr } = Bun.spawnSync(
    [BINARY, "sequencer", "--preset", "devnet", "--base-path", basePath, ...args],
    { cwd: "/", timeout: 60_000 },
  );
  return {
    exitCode,
    isQuick: performance.now() - startedMs < MAX_MS,
    lines: stderr.toString().trimEnd().split("\n"),
  };
}

interface Case {
  readonly name: string;
  readonly options: () => Readonly<Record<string, string>>;
  readonly exitCode: number;
  /** Words of the one line. */
  readonly says: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "a busy RPC port",
    options: () => ({ "rpc-port": String(busyPort) }),
    exitCode: 1,
    says: ["is in use", "--rpc-port"],
  },
  {
    name: "a busy metrics port",
    options: () => ({ "metrics-port": String(busyPort) }),
    exitCode: 1,
    says: ["metrics", "is in use", "--metrics-port"],
  },
  {
    name: "one port for both",
    options: () => ({ "rpc-port": String(unusedPort), "metrics-port": String(unusedPort) }),
    exitCode: 1,
    says: ["is in use"],
  },
  {
    name: "a host that this machine is not",
    options: () => ({ "rpc-host": "nonexistent.invalid" }),
    exitCode: 2,
    says: ["nonexistent.invalid", "--rpc-host"],
  },
  {
    name: "a file that is no key",
    options: () => ({ "private-key-file": badKey }),
    exitCode: 2,
    says: ["bad.key", "expected the block-signing key"],
  },
  {
    name: "a key file that is missing",
    options: () => ({ "private-key-file": `${badKey}.missing` }),
    exitCode: 2,
    says: ["bad.key.missing", "cannot be read"],
  },
  {
    name: "a file for accounts that cannot be written",
    options: () => ({ "config-out": "/proc/appchain.json" }),
    exitCode: 2,
    says: ["--config-out", "cannot be written"],
  },
];

describe("refused at once, with one line", () => {
  for (const { name, options, exitCode, says } of CASES) {
    test(`${name}, leaving nothing of a new folder`, () => {
      const fresh = folder.file("fresh/chain");
      const result = refused(fresh, options());
      expect(result).toMatchObject({ exitCode, isQuick: true });
      expect(result.lines).toEqual([expect.stringMatching(/^error: /)]);
      for (const part of says) expect(result.lines[0]).toContain(part);
      expect(existsSync(folder.file("fresh"))).toBe(false);
    }, 60_000);

    test(`${name}, changing nothing of an existing chain`, () => {
      const before = readdirSync(existing).sort();
      const result = refused(existing, options());
      expect(result).toMatchObject({ exitCode, isQuick: true });
      expect(result.lines).toHaveLength(1);
      expect(readdirSync(existing).sort()).toEqual(before);
    }, 60_000);
  }

  test("a folder that cannot be made", () => {
    const result = refused(join(badKey, "x"), {});
    expect(result).toMatchObject({ exitCode: 1, isQuick: true });
    expect(result.lines).toEqual([expect.stringContaining("--base-path")]);
  });

  test("a mempool that is no database, found by a thread", () => {
    const broken = folder.file("broken");
    mkdirSync(broken);
    writeFileSync(join(broken, "mempool.db"), "garbage".repeat(1_000));
    const result = refused(broken, {});
    expect(result).toMatchObject({ exitCode: 1, isQuick: true });
    expect(result.lines).toEqual([expect.stringContaining("mempool.db")]);
    expect(readdirSync(broken)).toEqual(["mempool.db"]);
  }, 60_000);
});

describe("a folder in use", () => {
  beforeAll(() => chain.start(), 60_000);

  test("is refused, and the chain in it goes on", async () => {
    const result = refused(existing, {});
    expect(result).toMatchObject({ exitCode: 1, isQuick: true });
    expect(result.lines).toEqual([expect.stringContaining("in use by another process")]);
    expect(await (await fetch(`${chain.url}/health`)).text()).toBe("OK");
  }, 60_000);
});
