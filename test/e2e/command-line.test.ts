import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { BINARY, freePort, TEST_ENVIRONMENT, rawCall } from "#test/helpers/binary.ts";
import { runtimeSettings } from "#test/helpers/environment.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  Bun.spawnSync([BINARY, ...args], {
    cwd: "/",
    env: { ...runtimeSettings(), PATH: "/usr/bin:/bin", ...env },
  });

describe("an existing chain", () => {
  const chain = useChain({ args: ["--name", 'n"1', "--dev-accounts", "2"] });
  const args = [
    ...["sequencer", "--preset", "devnet", "--rpc-port", "0"],
    ...["--base-path", chain.folder.path],
  ];

  test("has its name in the metrics", async () => {
    const text = await (await fetch(`http://127.0.0.1:${chain.metricsPort}/metrics`)).text();
    expect(text).toMatch(
      /^appchain_node_info\{name="n\\"1",version="[^"]+",role="sequencer",chain_id="APPCHAIN_DEVNET"\} 1$/m,
    );
  });

  test("rejects options that contradict its blocks with exit code 2 and both values", async () => {
    expect(await chain.stop()).toBe(0);
    const cases: readonly [readonly string[], readonly string[]][] = [
      [
        ["--chain-config-override", "latest_protocol_version=0.13.2"],
        ["latest_protocol_version", "0.14.4", "0.13.2"],
      ],
      [
        ["--chain-config-override", "native_fee_token_address=0x5", "--dev-balance", "7"],
        ["native_fee_token_address", "0x4718f5a0fc34cc1", "0x5", "--dev-balance", "7"],
      ],
      [
        ["--dev-seed", "9"],
        ["--dev-seed", "0", "9"],
      ],
    ];
    for (const [more, parts] of cases) {
      const { exitCode, stderr } = run([...args, ...more]);
      expect(exitCode).toBe(2);
      for (const part of parts) expect(stderr.toString()).toContain(part);
      expect(stderr.toString()).not.toContain(" at ");
    }
    // The chain is unchanged, and its accounts are printed.
    await chain.start({});
    expect(chain.accounts).toHaveLength(2);
    const balance = /^\(1\) 0x[0-9a-f]{64} 1000 STRK, 1000 ETH$/m;
    await untilTrue(() => balance.test(chain.output()), 10_000);
    expect(chain.output()).toMatch(balance);
  }, 60_000);
});

describe("exit codes", () => {
  test("2 for a full node without an upstream, also without a command", () => {
    using folder = temporaryFolder();
    const nobody = ["--preset", "appchain", "--base-path", folder.path];
    for (const command of [["node"], []]) {
      const { exitCode, stderr } = run([...command, ...nobody]);
      expect([exitCode, stderr.toString()]).toEqual([2, expect.stringContaining("--gateway-url")]);
    }
  });

  test("2 for a wrong configuration, with every finding and without a stack", () => {
    const override = "bouncer_config.block_max_capacity.n_steps=100,chain_id=../../../x";
    const { exitCode, stderr } = run([
      ..."config validate --preset devnet --chain-config-override".split(" "),
      override,
    ]);
    expect([exitCode, stderr.toString().trim().split("\n").length]).toEqual([2, 3]);
  });
});

test("--version prints the commit of the build, with --verbose also what the program runs", () => {
  const line = /^appchain \d+\.\d+\.\d+ \((?:[0-9a-f]{8}(?:, modified)?|unknown commit: .*)\)$/;
  const { exitCode, stdout } = run(["--version"]);
  expect([exitCode, stdout.toString().trimEnd()]).toEqual([0, expect.stringMatching(line)]);
  const details = run(["--version", "--verbose"]).stdout.toString();
  expect(details).toStartWith(stdout.toString());
  for (const name of ["commit", "Bun", "Starknet protocol", "JSON-RPC", "Sierra", "kernels"]) {
    expect(details).toMatch(new RegExp(`^${name}: \\S`, "m"));
  }
});

/** Returns the line of a file once it is complete. */
async function written(path: string): Promise<string> {
  let text = "";
  const isWhole = async (): Promise<boolean> => {
    text = existsSync(path) ? await Bun.file(path).text() : "";
    return text.endsWith("\n");
  };
  expect([path, await untilTrue(isWhole, 30_000)]).toEqual([path, true]);
  return text.trim();
}

describe("a reader that closes the pipe", () => {
  test("does not fail a command", async () => {
    const commands = ["--help", "config validate --preset devnet", "--version", "nonsense"];
    await Promise.all(
      commands.map(async (command) => {
        const closed = `( sleep 0.3; ${BINARY} ${command} 2>err; echo $? >code ) | true`;
        using folder = temporaryFolder();
        Bun.spawn(["sh", "-c", closed], { cwd: folder.path });
        // The shell may exit before the command, whose reader is gone.
        const code = await written(folder.file("code"));
        expect([command, code]).toEqual([command, command === "nonsense" ? "2" : "0"]);
        expect(await Bun.file(folder.file("err")).text()).not.toMatch(/EPIPE| at /);
      }),
    );
  }, 60_000);

  test("does not stop a node", async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    const configOut = folder.file("out.json");
    const node =
      `exec ${BINARY} sequencer --preset devnet --base-path ${folder.path} --rpc-port ${port} ` +
      `--metrics-port off --log-level debug --config-out ${configOut}`;
    // The shell's pid becomes the node's; the reader of its output ends after one line.
    const script = `( sh -c 'echo $$ >pid; ${node}' 2>err; echo $? >code ) | head -n 1`;
    const shell = Bun.spawn(["sh", "-c", script], {
      cwd: folder.path,
      env: TEST_ENVIRONMENT,
      stdout: "pipe",
    });
    const url = `http://127.0.0.1:${port}`;
    await untilTrue(() => existsSync(configOut), 30_000);
    for (let i = 0; i < 20; i++) {
      expect((await rawCall(url, "chain_blockNumber")).result).toBe(0);
      await Bun.sleep(20);
    }
    const pid = Number(await Bun.file(folder.file("pid")).text());
    process.kill(pid, "SIGTERM");
    await shell.exited;
    expect((await Bun.file(folder.file("code")).text()).trim()).toBe("0");
    expect(await Bun.file(folder.file("err")).text()).not.toContain("EPIPE");
  }, 60_000);
});

test("an IPv6 host results in a usable URL", async () => {
  using folder = temporaryFolder();
  const configOut = folder.file("out.json");
  const child = Bun.spawn(
    [
      ...`${BINARY} sequencer --preset devnet --rpc-host ::1 --rpc-port 0 --metrics-port off`.split(
        " ",
      ),
      ...["--base-path", folder.path, "--config-out", configOut],
    ],
    { cwd: "/", env: TEST_ENVIRONMENT, stdout: "ignore", stderr: "ignore" },
  );
  // At startup the node tests whether it can write the file, which exists and is empty then.
  const isWritten = (): boolean => existsSync(configOut) && Bun.file(configOut).size > 0;
  await untilTrue(isWritten, 30_000);
  const { rpc_url: url } = (await Bun.file(configOut).json()) as { rpc_url: string };
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await rawCall(url, "chain_blockNumber")).result).toBe(0);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
}, 60_000);
