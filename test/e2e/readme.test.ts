import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#test/helpers/binary.ts";
import { bareEnvironment, copyClone } from "#test/helpers/clone.ts";
import { commandsOf, type DocumentBlock, documentBlocks } from "#test/helpers/command-blocks.ts";
import { threadSettings } from "#test/helpers/environment.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { isFullSize } from "#test/helpers/test-size.ts";

/**
 * Runs every command of the documents verbatim: in a copy of the clone, and in an empty folder next
 * to it, with Node and npm on the PATH but without Bun. Ports are replaced by free ones, through
 * the environment if the documents name none. Once a document has built the executable, quick runs use
 * it in place of the launcher, whose chain takes three times the processor time to start.
 */

/** npm contacts its registry; no other command needs one. */
const INSTALL_LIMIT_MS = 60_000;
const COMMAND_LIMIT_MS = 150_000;
const START_LIMIT_MS = 60_000;

/** Documents in the order of a reader, who builds the executable in the tour; then all others by path. */
const READ_FIRST = ["README.md", "docs/tour.md"];

/** Builds the executable. */
const BUILD = "./scripts/build";

/** Commands that are not tried: they run this test. */
const RECURSIVE: ReadonlySet<string> = new Set(["./scripts/test"]);

const all = documentBlocks();
const blocks = [
  ...READ_FIRST.flatMap((path) => all.filter(({ document }) => document === path)),
  ...all.filter(({ document }) => !READ_FIRST.includes(document)),
];

/** Whether a block is a program that commands use, to be saved under its file name. */
function isFile({ fileName, language }: DocumentBlock): boolean {
  return fileName !== undefined && language === "js";
}

const home = temporaryFolder();
const clone = home.file("appchain");
const empty = home.file("devnet");
let environment: Record<string, string> = {};
/** Ports named in the documents. */
const ports = new Map(
  ["8080", "9945", "9946", "9947", "9948", "9616", "8545"].map((port) => [port, port]),
);
const servers: Bun.Subprocess[] = [];
let isBuilt = false;

beforeAll(async () => {
  copyClone(clone);
  mkdirSync(empty);
  for (const { fileName, text } of blocks.filter(isFile)) {
    for (const folder of [empty, clone]) writeFileSync(join(folder, fileName ?? ""), text);
  }
  for (const named of ports.keys()) ports.set(named, String(await freePort()));
  const port = await freePort();
  ports.set("9944", String(port));
  environment = bareEnvironment({
    ...threadSettings(),
    APPCHAIN_RPC_PORT: String(port),
    APPCHAIN_METRICS_PORT: String(await freePort()),
    APPCHAIN_URL: `http://127.0.0.1:${port}`,
    APPCHAIN_WARM_UP_TRANSFERS: "0",
    APPCHAIN_COMPILER_NICE: "0",
    // Compilations take long under the load of other tests.
    L1_WAIT_TIME: "60",
    ROLLUP_SEQ_URL: `http://127.0.0.1:${port}`,
    ETH_RPC: `http://127.0.0.1:${ports.get("8545")}`,
    // npm requests only the package from the registry.
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_prefer_offline: "true",
    npm_config_fetch_retries: "1",
    npm_config_fetch_timeout: "20000",
  });
}, 60_000);

async function stopServers(): Promise<void> {
  for (const server of servers.splice(0).reverse()) {
    server.kill("SIGTERM");
    await server.exited;
  }
}

afterAll(async () => {
  await stopServers();
  home[Symbol.dispose]();
});

function withFreePorts(command: string): string {
  return command.replaceAll(/\b\d{4}\b/g, (number) => ports.get(number) ?? number);
}

/** The command of a quick run. */
function withExecutable(command: string): string {
  if (isFullSize || !isBuilt) return command;
  return command.replaceAll("/bin/appchain ", "/dist/appchain ");
}

/** A server; a parallel one keeps earlier servers running. Its URL responds once it is ready. */
interface Serving {
  readonly isParallel: boolean;
  readonly url: string;
}

/** The server that a command starts; `undefined` if the command ends by itself. */
function servingOf(command: string): Serving | undefined {
  if (/\/anvil( |$)/.test(command)) return { isParallel: false, url: environment["ETH_RPC"] ?? "" };
  if (/ sequencer( |$)/.test(command)) {
    // A sequencer that follows L1 needs the L1 server, a fork its origin.
    const isFork = command.includes("--fork-url");
    if (isFork) return { isParallel: true, url: `http://127.0.0.1:${rpcPortOf(command)}/ready` };
    const isParallel = command.includes("--l1-endpoint");
    return { isParallel, url: `${environment["APPCHAIN_URL"]}/ready` };
  }
  if (!/appchain node( |$)/.test(command)) return undefined;
  const port = rpcPortOf(command);
  // A follower of a public network has no network here and is never ready.
  return port === undefined
    ? { isParallel: false, url: `${environment["APPCHAIN_URL"]}/health` }
    : { isParallel: true, url: `http://127.0.0.1:${port}/ready` };
}

function rpcPortOf(command: string): string | undefined {
  return /--rpc-port (\d+)/.exec(command)?.[1];
}

/** Request that probes a server; L1 responds only to JSON-RPC. */
function requestTo({ url }: Serving): RequestInit {
  if (url !== environment["ETH_RPC"]) return {};
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  return { method: "POST", headers: { "content-type": "application/json" }, body };
}

/** Starts a server and leaves it running for later commands. */
async function startServer(command: string, cwd: string, serving: Serving): Promise<void> {
  if (!serving.isParallel) await stopServers();
  // `exec` replaces the shell by the program, so that signals reach it.
  const child = Bun.spawn(["sh", "-c", `exec ${command}`], {
    cwd,
    env: environment,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  servers.push(child);
  const configOut = /--config-out (\S+)/.exec(command)?.[1];
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const answered = await fetch(serving.url, requestTo(serving)).then(
      (response) => response.ok,
      () => false,
    );
    if (answered && (configOut === undefined || existsSync(join(cwd, configOut)))) return;
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${command} did not start:\n${await new Response(child.stderr).text()}`);
    }
    await Bun.sleep(50);
  }
}

async function runCommand(command: string, cwd: string): Promise<string> {
  const isInstall = command.startsWith("npm install ");
  const child = Bun.spawn(["sh", "-c", command], {
    cwd,
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: isInstall ? INSTALL_LIMIT_MS : COMMAND_LIMIT_MS,
    killSignal: "SIGKILL",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return out;
  const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|network/.test(err);
  if (isInstall && (isOffline || child.signalCode !== null)) {
    throw new Error(
      `THE NPM REGISTRY IS NOT REACHABLE from this machine: "${command}" of the README cannot be tried.\n${err}`,
    );
  }
  throw new Error(`${command}\nended with ${child.exitCode ?? child.signalCode}:\n${out}${err}`);
}

/** Expected output of commands whose success alone says too little. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  "node transfer.mjs": /^SUCCEEDED \d+\n$/,
  "./bin/appchain rpc call blockNumber": /^\d+\n$/,
  "node fork-pool.mjs": /^SUCCEEDED \d+\n$/,
  // 10^18 * 997 * 10^18 / (100 * 10^18 * 1000 + 10^18 * 997), rounded down.
  "node fork-trade.mjs": /^SUCCEEDED \d+\n9871580343970612n\n$/,
  "node fork-upgrade.mjs": /^SUCCEEDED \d+\ntrue\n$/,
  "node fork-whale.mjs": /^SUCCEEDED \d+\n$/,
  "node fork-retry.mjs": /^SUCCEEDED \d+\n$/,
  [`./bin/appchain rpc call devnet_restart '{"fork_block":"latest"}' --url 127.0.0.1:9945 --timeout 2min`]:
    /^\{\}\n$/,
  "./dist/appchain bootstrap --dev": /exists native-token: [^]*new Deployer\("0x2ceed65a/,
  "./dist/appchain bridge deposit 1000 --token fee --mint --transfer fee.json":
    /holds 1000 FEE on L2/,
  "node first-transfer.mjs": /^SUCCEEDED\n$/,
  "./dist/appchain bridge withdraw 0.5": /0\.5 ETH are paid out/,
  "./bin/appchain rpc call getBlockWithReceipts latest": /"finality_status": "ACCEPTED_ON_L2"/,
};

for (const block of blocks) {
  const { document, language, text } = block;
  if (language === "sh") {
    // Paths that leave the folder start from the empty one next to the clone.
    const cwd = text.includes("../appchain/") ? empty : clone;
    for (const command of commandsOf(block)) {
      test(
        `${document}: ${command}`,
        async () => {
          if (RECURSIVE.has(command)) {
            expect(existsSync(join(clone, command))).toBe(true);
            return;
          }
          const ours = withExecutable(withFreePorts(command));
          const [, variable, value] = /^export (\w+)=(\S+)$/.exec(ours) ?? [];
          // Keeps the variable for later commands, which run in separate shells.
          if (variable !== undefined) environment[variable] = value ?? "";
          const serving = servingOf(ours);
          if (serving !== undefined) return startServer(ours, cwd, serving);
          const printed = await runCommand(ours, cwd);
          isBuilt ||= command === BUILD;
          const pattern = PRINTS[command];
          if (pattern !== undefined) expect(printed).toMatch(pattern);
        },
        COMMAND_LIMIT_MS + 10_000,
      );
    }
  } else if (!isFile(block)) {
    test(`${document}: a block in ${language || "no language"} contains no commands`, () => {
      expect(language).toBeOneOf(["yaml", "json", "toml", "mermaid", "ts", "text"]);
    });
  }
}

test("all blocks of the documents are found", () => {
  expect(blocks).toHaveLength(all.length);
  for (const [document, least] of [
    ["README.md", 1],
    ["docs/tour.md", 5],
  ] as const) {
    const found = blocks.filter((block) => block.document === document);
    expect([document, found.length >= least]).toEqual([document, true]);
  }
  const commands = blocks.filter(({ language }) => language === "sh").flatMap(commandsOf);
  for (const command of Object.keys(PRINTS)) expect(commands).toContain(command);
});
