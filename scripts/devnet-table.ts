/**
 * Writes `docs/devnet-parity.md`: every option and method of starknet-devnet with ours beside it. Both programs are
 * asked: starknet-devnet for its options by `--help`, each of them for each method by a request.
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

/** What a method of theirs is answered with here, where that needs a word. */
const METHOD_NOTES: Readonly<Record<string, string>> = {
  devnet_applyStateDiff:
    "no: state is made by transactions; `dev_setStorageAt` writes one variable",
  devnet_getStatus: "no: `GET /ready`, `devnet_getConfig` and `starknet_syncing` tell it",
  devnet_revert: "not in this version",
  devnet_snapshot: "not in this version",
  starknet_proveTransaction: "not in this version: transactions with proofs are refused",
};

/** Options of theirs that say more here than their summary. */
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

/** Whether a server has a method; asked with parameters that none takes, so that nothing is done. */
async function has({ url }: Server, method: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { no_such_parameter: 1 } });
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  const { error } = (await response.json()) as { readonly error?: { readonly code: number } };
  return error?.code !== METHOD_NOT_FOUND;
}

/** Names that look like methods in the executable; which of them are some, the server tells. */
function namesIn(program: string): readonly string[] {
  const text = readFileSync(program).toString("latin1");
  const names = text.match(/(?:devnet|starknet)_[a-z]+(?:[A-Z][A-Za-z0-9]*)?/g) ?? [];
  // Names stand behind each other without a gap: of a long one each beginning may be one.
  const beginnings = names.flatMap((name) =>
    [...name.matchAll(/(?<=[a-z0-9])(?=[A-Z]|starknet_|devnet_|$)/g)].map(({ index }) =>
      name.slice(0, index),
    ),
  );
  return [...new Set(beginnings)].filter((name) => name.length < 50).toSorted();
}

/** Methods that our documents of the interface name: among them are those of theirs that their program hides. */
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

Options and methods of ${version}, and what \`appchain devnet\` makes of them. \`scripts/devnet-table PROGRAM\` asks both programs and writes this page; [development chains](devnet.md) says how the same things differ.

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
