/**
 * Writes `docs/devnet-parity.md`: every option and method of starknet-devnet with ours next to it. The options
 * come from starknet-devnet's `--help`; a request to each program finds out whether it has a method.
 *
 * Argument: the executable of starknet-devnet. Needs `dist/appchain`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { devnetCommandOptions } from "../src/app/cli/devnet/options.ts";

const ROOT = join(import.meta.dir, "..");
const PAGE = join(ROOT, "docs/devnet-parity.md");
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
const METHOD_NOT_FOUND = -32601;

/** Explains the methods of starknet-devnet that our program does not serve. */
const METHOD_NOTES: Readonly<Record<string, string>> = {
  devnet_getStatus: "no: `GET /ready`, `devnet_getConfig` and `starknet_syncing` report it",
  devnet_revert: "not in this version",
  devnet_snapshot: "not in this version",
  starknet_proveTransaction: "not in this version: transactions with proofs are refused",
};

/** Summaries of options that are not in our option table. */
const OPTION_NOTES: Readonly<Record<string, string>> = {
  help: "print the help",
  version: "print the version",
};

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a development chain on a free port. */
async function serve(command: readonly string[], port: number): Promise<Server> {
  const child = Bun.spawn([...command, "--port", String(port), "--seed", "0", "--accounts", "1"], {
    env: { ...process.env, APPCHAIN_WARM_UP_TRANSFERS: "0" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  const endMs = performance.now() + START_TIMEOUT_MS;
  const isAlive = (): Promise<boolean> =>
    fetch(`${url}/is_alive`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isAlive())) {
    if (performance.now() > endMs) throw new RangeError(`${command[0]} does not serve`);
    await Bun.sleep(POLL_MS);
  }
  return {
    url: `${url}/rpc`,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Whether a server has a method. The request has parameters that no method accepts, so that it has no effect. */
async function has({ url }: Server, method: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { no_such_parameter: 1 } });
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const { error } = (await response.json()) as { readonly error?: { readonly code: number } };
  return error?.code !== METHOD_NOT_FOUND;
}

/** Strings in the executable that look like names of methods; the server decides which of them are methods. */
function namesIn(program: string): readonly string[] {
  const text = readFileSync(program).toString("latin1");
  const names = text.match(/(?:devnet|starknet)_[a-z]+(?:[A-Z][A-Za-z0-9]*)?/g) ?? [];
  // The executable stores names without a gap between them: each prefix of a long one may be a name.
  const beginnings = names.flatMap((name) =>
    [...name.matchAll(/(?<=[a-z0-9])(?=[A-Z]|starknet_|devnet_|$)/g)].map(({ index }) =>
      name.slice(0, index),
    ),
  );
  return [...new Set(beginnings)].filter((name) => name.length < 50).toSorted();
}

/** Methods of our OpenRPC documents: they include methods of starknet-devnet that its executable does not contain as text. */
async function namesOf({ url }: Server): Promise<readonly string[]> {
  const response = await fetch(`${url.replace(/\/rpc$/, "")}/openrpc.json`);
  const { methods } = (await response.json()) as {
    readonly methods: readonly { readonly name: string }[];
  };
  return methods.map(({ name }) => name.replace(/^chain_/, "starknet_"));
}

function optionRows(help: string): readonly string[] {
  const ours = new Map(
    Object.values(devnetCommandOptions).map((option) => [option.flag, option.summary]),
  );
  const flags = [...help.matchAll(/^\s+(?:-\w, )?--([a-z0-9-]+)/gm)].map(([, flag = ""]) => flag);
  return [...new Set(flags)].map(
    (flag) => `| \`--${flag}\` | ${ours.get(flag) ?? OPTION_NOTES[flag] ?? "unknown"} |`,
  );
}

const [program] = process.argv.slice(2);
if (program === undefined) {
  process.stderr.write("usage: scripts/devnet-table STARKNET-DEVNET\n");
  process.exit(2);
}
const version = Bun.spawnSync([program, "--version"]).stdout.toString().trim();
const help = Bun.spawnSync([program, "--help"]).stdout.toString();
const theirs = await serve([program], 15_052);
const own = await serve([join(ROOT, "dist/appchain"), "devnet"], 15_053);
const methods: string[] = [];
for (const name of new Set([...namesIn(program), ...(await namesOf(own))].toSorted())) {
  if (!(await has(theirs, name))) continue;
  const note = (await has(own, name)) ? "yes" : (METHOD_NOTES[name] ?? "no");
  methods.push(`| \`${name}\` | ${note} |`);
}
await theirs.stop();
await own.stop();
writeFileSync(
  PAGE,
  `# What starknet-devnet has

Options and methods of ${version}, with the support in \`appchain devnet\`. \`scripts/devnet-table PROGRAM\` queries both programs and writes this page; [development chains](devnet.md) explains the differences.

## Options

| starknet-devnet | appchain devnet |
| --- | --- |
${optionRows(help).join("\n")}

## Methods

| starknet-devnet | appchain devnet |
| --- | --- |
${methods.join("\n")}
`,
);
console.log(`${PAGE}: ${methods.length} methods`);
