import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import artifacts from "../../contracts/l2/artifacts.json" with { type: "json" };
import { BINARY, rawCall, type RunningChain } from "#test/helpers/binary.ts";
import { runtimeSettings } from "#test/helpers/environment.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

/** Tests what users do in their first minutes with the program. */

const DEADLINE_MS = 30_000;

function run(args: readonly string[], options: { stdin?: string; cwd?: string } = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([BINARY, ...args], {
    cwd: options.cwd ?? "/",
    env: { ...runtimeSettings(), PATH: "/usr/bin:/bin" },
    stdin: options.stdin === undefined ? "ignore" : Buffer.from(options.stdin),
    timeout: 60_000,
  });
  return { exitCode, out: stdout.toString(), err: stderr.toString() };
}

/** Waits for a log line with these words. @returns the line */
async function lineOf(chain: RunningChain, words: string): Promise<string> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const line = chain
      .output()
      .split("\n")
      .find((text) => text.includes(words));
    if (line !== undefined) return line;
    if (Date.now() > deadline) throw new RangeError(`no line has ${words}:\n${chain.output()}`);
    await Bun.sleep(20);
  }
}

describe("a devnet", () => {
  const chain = useChain({ args: ["--log-level", "debug"] });

  test("has a deployer at each reported address, and accounts of the reported class", async () => {
    const written = JSON.parse(readFileSync(chain.folder.file("accounts.json"), "utf8")) as {
      chain_id_hex: string;
      account_class_hash: string;
      universal_deployer_addresses: readonly string[];
    };
    expect((await rawCall(chain.url, "starknet_chainId")).result).toBe(written.chain_id_hex);
    const address = chain.accounts[0]?.address ?? "";
    const classHash = await rawCall(chain.url, "starknet_getClassHashAt", ["latest", address]);
    expect(classHash.result).toBe(written.account_class_hash);
    expect(written.universal_deployer_addresses).toHaveLength(2);
    const erc20 = artifacts.erc20.classHash;
    const constructor = ["0x41", "0x42", 18, 5, 0, address, 0];
    for (const deployer of written.universal_deployer_addresses) {
      expect(chain.output()).toContain(deployer.slice(2));
      const { transaction_hash: hash } = await chain.account(0).execute({
        contractAddress: deployer,
        entrypoint: "deployContract",
        calldata: [erc20, deployer, 0, constructor.length, ...constructor],
      });
      const receipt = await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
      expect(receipt.isSuccess()).toBe(true);
      const { result } = await rawCall(chain.url, "starknet_getTransactionReceipt", [hash]);
      const { events } = result as { events: { from_address: string; data: string[] }[] };
      const deployed = events.find(({ from_address: from }) => from === deployer)?.data[0];
      const made = await rawCall(chain.url, "starknet_getClassHashAt", ["latest", deployed]);
      expect(made.result).toBe(erc20);
    }
  }, 60_000);

  test("logs a block, a reverted transaction with its reason, and calls with their times", async () => {
    const tooMuch = signedTransfer("APPCHAIN_DEVNET", chain.signer(1), 0n, 0x1234n, 10n ** 30n);
    await fetch(chain.url, { method: "POST", body: tooMuch.body });
    const line = await lineOf(chain, "transaction reverted");
    expect(line).toContain(
      `hash=0x${tooMuch.hash.toString(16)} sender=${chain.accounts[1]?.address} block=`,
    );
    // contracts/l2/erc20.cairo
    expect(line).toMatch(/reason=.*(insufficient|INSUFFICIENT|balance)/i);
    expect(await lineOf(chain, " accepted hash=0x")).toContain("transactions=1");
    await rawCall(chain.url, "starknet_getBlockWithTxHashes", [{ block_number: 99_999 }]);
    expect(await lineOf(chain, "error=24")).toMatch(
      /DEBUG rpc method=getBlockWithTxHashes ok=false error=24 ms=[\d.]+$/,
    );
    expect(await lineOf(chain, "method=chainId ok=true")).toMatch(/ms=[\d.]+$/);
  }, 60_000);

  test("serves rpc call with a bare block number at host:port", () => {
    const url = ["--url", `127.0.0.1:${chain.rpcPort}`];
    const block = run(["rpc", "call", "getBlockWithTxHashes", "0", ...url]);
    expect(block.exitCode).toBe(0);
    const { block_hash: hash } = JSON.parse(block.out) as { block_hash: string };
    expect(run(["rpc", "call", "getBlockWithTxHashes", hash, ...url]).out).toBe(block.out);
    expect(run(["rpc", "call", "getBlockTransactionCount", "latest", ...url]).exitCode).toBe(0);
    const missing = run(["rpc", "call", "getBlockWithTxHashes", "99999", ...url]);
    expect(missing).toEqual({ exitCode: 1, out: "", err: "error 24: Block not found\n" });
  }, 60_000);

  test("is not reset while it runs", async () => {
    const args = ["sequencer", "--preset", "devnet", "--base-path", chain.folder.path, "--reset"];
    const ports = ["-p", "0", "--metrics-port", "off"];
    const allowed = ["--config-out", chain.folder.file("accounts.json")];
    const refused = run([...args, ...ports, ...allowed]);
    expect([refused.exitCode, refused.err]).toEqual([
      1,
      expect.stringContaining("in use by another process"),
    ]);
    expect((await rawCall(chain.url, "starknet_blockNumber")).error).toBeUndefined();
  }, 60_000);

  test("logs where it resumes, and starts from genesis after a reset", async () => {
    const before = (await rawCall(chain.url, "starknet_blockNumber")).result as number;
    expect(before).toBeGreaterThan(0);
    await chain.stop("SIGKILL");
    await chain.start({});
    expect(chain.output()).toContain(
      `resuming block ${before + 1}; delete ${chain.folder.path} (or use --reset) to start fresh`,
    );
    await chain.stop();
    await chain.start({ args: ["--reset", "--dev-accounts", "3"] });
    expect(chain.output()).toContain(`deleted the chain in ${chain.folder.path}`);
    expect(chain.output()).not.toContain("resuming");
    expect((await rawCall(chain.url, "starknet_blockNumber")).result).toBe(0);
    expect(chain.accounts).toHaveLength(3);
  }, 60_000);

  test("warns when it is exposed, also when fees are off", async () => {
    await chain.stop();
    await chain.start({ args: ["--rpc-external", "--no-charge-fee"] });
    expect(chain.output()).toMatch(/WARN +JSON-RPC listens beyond this machine \(0\.0\.0\.0\)/);
    expect(chain.output()).toMatch(/WARN +fees are off/);
  }, 60_000);
});

describe("--reset", () => {
  const node = "sequencer --preset devnet -p 0 --metrics-port off --reset --base-path".split(" ");

  test("rejects foreign folders with exit code 2, names their contents and keeps them", () => {
    using folder = temporaryFolder();
    const file = folder.file("file");
    writeFileSync(file, "x");
    mkdirSync(folder.file("git/.git"), { recursive: true });
    for (const [path, reason] of [
      [folder.path, "holds file, git;"],
      [folder.file("git"), "holds .git;"],
      [file, "is not a directory"],
      ["/", "is the root or a home directory"],
    ] as const) {
      const { exitCode, out, err } = run([...node, path]);
      expect([path, exitCode, err]).toEqual([path, 2, expect.stringContaining(reason)]);
      expect(out).not.toContain("deleted");
    }
    expect(readdirSync(folder.path).sort()).toEqual(["file", "git"]);
  }, 60_000);

  test("does nothing in an empty folder", async () => {
    const chain = await start({ args: ["--reset"] });
    expect(chain.output()).not.toContain("deleted");
    expect(await chain.stop()).toBe(0);
  }, 60_000);
});

describe("the commands", () => {
  test("config show prints what config validate - accepts", () => {
    const shown = run(["config", "show", "--preset", "devnet"]);
    expect(shown.exitCode).toBe(0);
    expect(run(["config", "validate", "-"], { stdin: shown.out })).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining("standard input is valid"),
    });
    expect(run(["config", "show", "-"], { stdin: shown.out }).out).toBe(shown.out);
  }, 60_000);

  test("endless, closed, unreadable or empty standard input fails with an error", () => {
    for (const command of ["yes | CMD", "CMD <&-", "CMD </tmp", "CMD </dev/null"]) {
      const script = command.replace("CMD", `timeout 30 ${BINARY} config validate -`);
      const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", script]);
      expect([command, exitCode]).toEqual([command, 2]);
      expect(stderr.toString()).toStartWith("error: standard input");
    }
  }, 60_000);

  test("a reader that closes the pipe does not fail show or help", () => {
    for (const command of ["config show --preset devnet", "help sequencer"]) {
      const script = `( sleep 0.3; ${BINARY} ${command} 2>&1 >&3; echo "code $?" >&2 ) 3>&1 | true`;
      const { stderr } = Bun.spawnSync(["sh", "-c", script]);
      expect(stderr.toString()).toBe("code 0\n");
    }
  }, 60_000);

  test("help, version, -V and -p work as their long forms", () => {
    const version = run(["--version"]).out;
    for (const argv of [["version"], ["-V"]]) expect(run(argv).out).toBe(version);
    expect(run(["help", "rpc", "call"]).out).toBe(run(["rpc", "call", "--help"]).out);
    expect(run(["sequencer", "--preset", "devnet", "-p", "x"])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("--rpc-port: expected port"),
    });
  }, 60_000);
});
