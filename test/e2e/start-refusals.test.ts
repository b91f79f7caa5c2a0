import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { BINARY, freePort } from "#test/helpers/binary.ts";
import { stallBoundMs } from "#test/helpers/stall.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

/** A failing start waits for nothing: far below thread timeouts, with room for a busy machine. */
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

/** Runs a start that must fail. @param shell - command run before in the same process */
function refused(basePath: string, options: Readonly<Record<string, string>>, shell = ":") {
  const all = { "rpc-port": "0", "metrics-port": "off", ...options };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  const startedMs = performance.now();
  const { exitCode, stderr } = Bun.spawnSync(
    [
      ...["sh", "-c", `${shell} && exec "$@"`, "sh"],
      ...[BINARY, "sequencer", "--preset", "devnet", "--base-path", basePath, ...args],
    ],
    { cwd: "/", timeout: 60_000 },
  );
  return {
    exitCode,
    isQuick: performance.now() - startedMs < MAX_MS,
    lines: stderr.toString().trimEnd().split("\n"),
  };
}

/** Repeats a request until the port is open. @returns the first response */
async function untilReached(request: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      return await request();
    } catch {
      await Bun.sleep(1);
    }
  }
}

interface Case {
  readonly name: string;
  readonly options: () => Readonly<Record<string, string>>;
  readonly exitCode: number;
  /** Parts of the error line. */
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
    name: "an unknown host",
    options: () => ({ "rpc-host": "nonexistent.invalid" }),
    exitCode: 2,
    says: ["nonexistent.invalid", "--rpc-host"],
  },
  {
    name: "an invalid key file",
    options: () => ({ "private-key-file": badKey }),
    exitCode: 2,
    says: ["bad.key", "expected the block-signing key"],
  },
  {
    name: "a missing key file",
    options: () => ({ "private-key-file": `${badKey}.missing` }),
    exitCode: 2,
    says: ["bad.key.missing", "cannot be read"],
  },
  {
    name: "an accounts file that cannot be written",
    options: () => ({ "config-out": "/proc/appchain.json" }),
    exitCode: 2,
    says: ["--config-out", "cannot be written"],
  },
];

describe("fails immediately with one line for", () => {
  for (const { name, options, exitCode, says } of CASES) {
    test(`${name}, leaving no new folder`, () => {
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

  test("a folder that cannot be created", () => {
    const result = refused(join(badKey, "x"), {});
    expect(result).toMatchObject({ exitCode: 1, isQuick: true });
    expect(result.lines).toEqual([expect.stringContaining("--base-path")]);
  });

  test.if(process.platform === "linux")("a limit of open files that is too low", () => {
    const result = refused(folder.file("few/chain"), {}, "ulimit -n 30");
    expect(result).toMatchObject({ exitCode: 1, isQuick: true });
    expect(result.lines).toEqual([
      expect.stringMatching(
        /^error: this process may have 30 files open, but the node needs at least \d+/,
      ),
    ]);
    expect(existsSync(folder.file("few"))).toBe(false);
  });

  test("a mempool without its chain", () => {
    const broken = folder.file("broken");
    mkdirSync(broken);
    writeFileSync(join(broken, "mempool.db"), "garbage".repeat(1_000));
    const result = refused(broken, {});
    expect(result).toMatchObject({ exitCode: 2, isQuick: true });
    expect(result.lines).toEqual([expect.stringContaining("mempool.db")]);
    expect(readdirSync(broken)).toEqual(["mempool.db"]);
  }, 60_000);
});

test("requests and handshakes before the node is ready are answered once it is", async () => {
  const port = await freePort();
  const args = ["sequencer", "--preset", "devnet", "--base-path", existing];
  const node = Bun.spawn([BINARY, ...args, "--rpc-port", String(port), "--metrics-port", "off"], {
    cwd: "/",
    stdout: "pipe",
  });
  const url = `http://127.0.0.1:${port}`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "chain_blockNumber" });
  const probe = await untilReached(() => fetch(`${url}/ready`));
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const shaken = new Promise<string>((resolve) => {
    socket.onopen = () => resolve("open");
    socket.onclose = ({ reason }) => resolve(reason);
  });
  const first = await fetch(url, { method: "POST", body });
  const answers = [first.status, await first.json(), await shaken];
  const ready = await fetch(`${url}/ready`);
  socket.close();
  node.kill();
  await node.exited;
  const result = expect.any(Number);
  expect(answers).toEqual([200, { jsonrpc: "2.0", id: 1, result }, "open"]);
  // The first probe may already find the node ready.
  expect([probe.status === 503 || probe.status === 200, ready.status]).toEqual([true, 200]);
}, 60_000);

describe("a folder in use", () => {
  beforeAll(() => chain.start(), 60_000);

  test("is rejected, and the chain in it continues", async () => {
    const result = refused(existing, {});
    expect(result).toMatchObject({ exitCode: 1, isQuick: true });
    expect(result.lines).toEqual([expect.stringContaining("in use by another process")]);
    expect(await (await fetch(`${chain.url}/health`)).text()).toBe("OK");
  }, 60_000);
});
