import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { BINARY, rawCall, WARM } from "#test/helpers/binary.ts";
import { buildDetached } from "#test/helpers/detached-binary.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

describe("the executable in a hostile folder, without its sources", () => {
  const chain = useChain(({ path, file }) => {
    const evil = file("evil.ts");
    writeFileSync(evil, "console.log('FOREIGN CODE RAN'); process.exit(66);");
    writeFileSync(file("bunfig.toml"), `preload = ["${evil}"]\n`);
    writeFileSync(file(".env"), "APPCHAIN_RPC_PORT=1\nAPPCHAIN_LOG_LEVEL=nonsense\n");
    return { binary: buildDetached(path), cwd: path, args: ["--log-level", "debug"], env: WARM };
  });

  test("runs no foreign code and ignores .env", () => {
    expect(chain.output()).not.toContain("FOREIGN");
  });

  test("serves requests of the main thread and of a query thread", async () => {
    expect((await rawCall(chain.url, "chain_blockNumber")).result).toBe(0);
    // Query threads read complete blocks.
    const block = (await rawCall(chain.url, "starknet_getBlockWithReceipts", ["latest"])).result;
    expect((block as { block_number: number }).block_number).toBe(0);
  });

  test("runs with its JavaScriptCore settings under the pid that it was started with", () => {
    const environment = readFileSync(`/proc/${chain.pid}/environ`, "utf8").split("\0");
    expect(environment).toContain("BUN_JSC_useFTLJIT=0");
    expect(environment).toContain("BUN_JSC_maxNumWasmFastMemories=256");
  });

  test("starts its compiler process", async () => {
    await untilTrue(() => chain.output().includes("compiler process started"), 50_000);
    expect(chain.output()).toContain("compiler process started");
  }, 60_000);

  test("prints the start screen", async () => {
    const ready = new RegExp(`^ready ${chain.url} in \\d+ ms$`, "m");
    await untilTrue(() => ready.test(chain.output()), 10_000);
    for (const line of [
      /^appchain \d+\.\d+\.\d+/m,
      /^Node +appchain, sequencer$/m,
      /^Network +Appchain Devnet, /m,
      /^Database +\/.*chain\.db$/m,
      /^Blocks +production starts at block 1$/m,
      /^L1 +not followed, gas 128 wei/m,
      new RegExp(`^JSON-RPC +${chain.url}$`, "m"),
      /^Origins +localhost, 127\.0\.0\.1 and /m,
      new RegExp(`^Metrics +http://127\\.0\\.0\\.1:${chain.metricsPort}/metrics$`, "m"),
      /^Chain id +APPCHAIN_DEVNET /m,
      /^Funded accounts/m,
      /^\(9\) 0x[0-9a-f]{64} 1000 STRK, 1000 ETH$/m,
      ready,
    ]) {
      expect(chain.output()).toMatch(line);
    }
    // No colours in a pipe.
    expect(chain.output()).not.toContain("\u001b");
  }, 20_000);

  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
    ["zstd", zstdDecompressSync],
  ] as const)("compresses a long response with %s", async (encoding, unpack) => {
    const call = { jsonrpc: "2.0", id: 1, method: "chain_getBlockWithTxs", params: ["latest"] };
    const response = await fetch(chain.url, {
      method: "POST",
      headers: { "accept-encoding": encoding },
      body: JSON.stringify(Array<object>(20).fill(call)),
      decompress: false,
    });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    const text = unpack(await response.arrayBuffer()).toString();
    expect(JSON.parse(text)).toHaveLength(20);
  });

  test("serves metrics on a separate port", async () => {
    const response = await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`);
    expect(await response.text()).toContain("appchain_l2_block_number 0");
    expect((await fetch(`http://127.0.0.1:${chain.metricsPort}/other`)).status).toBe(404);
  });

  test("a second node on the same folder fails with a message", () => {
    const second = Bun.spawnSync(
      [
        BINARY,
        "sequencer",
        "--preset",
        "devnet",
        "--base-path",
        chain.folder.path,
        "--rpc-port",
        "0",
      ],
      { cwd: "/" },
    );
    expect(second.exitCode).not.toBe(0);
    expect(second.stderr.toString()).toContain("in use by another process");
  });

  test("rpc call prints the result, and fails on a JSON-RPC error", () => {
    const call = (...args: string[]) =>
      Bun.spawnSync([BINARY, "rpc", "call", ...args, "--url", chain.url], { cwd: "/" });
    expect(call("chain_blockNumber").stdout.toString().trim()).toBe("0");
    expect(call("starknet_getBlockWithTxHashes", '{"block_number":99}').exitCode).toBe(1);
  });
});

test("the build produces one executable, with source maps in a separate folder", () => {
  const folder = dirname(BINARY);
  expect(readdirSync(folder).sort()).toEqual(["appchain", "maps"]);
  const maps = readdirSync(join(folder, "maps"));
  expect(maps).toContain("appchain.map");
  expect(maps.filter((name) => !name.endsWith(".map"))).toEqual([]);
});

describe("the command line of the executable", () => {
  const run = (...args: string[]) => Bun.spawnSync([BINARY, ...args], { cwd: "/" });

  test("an unknown option exits with code 2 and suggests the nearest option", () => {
    const result = run("sequencer", "--preset", "devnet", "--rpc-prot", "1");
    expect(result.exitCode).toBe(2);
    expect(result.stderr.toString()).toContain("--rpc-port");
  });

  test("a sequencer without configuration is pointed to the options and the presets", () => {
    const result = run("--sequencer");
    expect(result.exitCode).toBe(2);
    for (const part of ["--chain-config-path", "--preset", "mainnet", "devnet"]) {
      expect(result.stderr.toString()).toContain(part);
    }
  });

  test("a stopped chain exits with code 0 and resumes at the same block", async () => {
    const chain = await start();
    const before = (await rawCall(chain.url, "chain_blockHashAndNumber")).result;
    expect(await chain.stop("SIGINT")).toBe(0);
    await chain.start();
    expect((await rawCall(chain.url, "chain_blockHashAndNumber")).result).toEqual(before);
    expect(await chain.stop()).toBe(0);
  }, 60_000);

  test("a folder of another chain is rejected with both chain ids", async () => {
    const chain = await start();
    await chain.stop();
    const other = Bun.spawnSync(
      [
        BINARY,
        "sequencer",
        "--preset",
        "mainnet",
        "--base-path",
        chain.folder.path,
        "--rpc-port",
        "0",
      ],
      { cwd: "/" },
    );
    expect(other.exitCode).not.toBe(0);
    const message = other.stderr.toString();
    expect(message).toContain("APPCHAIN_DEVNET");
    expect(message).toContain("SN_MAIN");
  }, 60_000);
});
