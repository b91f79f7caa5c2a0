import { type FlagSources } from "#app/options/index.ts";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { replaceFile } from "#io/storage/index.ts";
import type { CliContext } from "../command.ts";
import { ProgressLine } from "../db/progress-line.ts";
import { notBoth, wrongOption } from "../option-errors.ts";
import { NO_WORDS, parseArguments, type ParsedArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { KEEPING_TIMER } from "./keeping-timer.ts";
import { bootstrapOptions } from "./options.ts";
import { stepLine } from "./step-line.ts";

/** File mode; the section contains no secret. */
const GENESIS_MODE = 0o644;

/** Maximum size of a file to compare with the section, bytes: the section takes some kilobytes. */
const MAX_GENESIS_BYTES = 1 << 20;

type Parsed = ParsedArguments<typeof bootstrapOptions>;

/**
 * Implements `appchain bootstrap`: sets up a new chain on L1 and L2, step by step; can be repeated.
 */
export async function runBootstrap(argv: readonly string[], context: CliContext): Promise<number> {
  const { environment } = context;
  const parsed = parseArguments(bootstrapOptions, argv, environment, NO_WORDS);
  const { options, sources } = parsed;
  if (options.plan && options.dryRun) throw notBoth(sources, "plan", "dry-run");
  if (options.plan && options.only !== null) throw notBoth(sources, "plan", "only");
  if (options.adopt && options.again) throw notBoth(sources, "adopt", "again");
  if (options.genesis !== null && !options.plan) {
    throw wrongOption(
      sources,
      "genesis",
      "has an effect only with --plan: later runs follow the plan",
    );
  }
  // The code for L1 and L2 is large; load it only for commands that need it.
  const { Bootstrap, genesisFile, overrideLine, planLines, readSettings } =
    await import("#app/bootstrap/index.ts");
  const { settings, warnings } = readSettings(environment, options.dev);
  const bootstrap = await Bootstrap.plan({
    settings,
    l1Token: await l1TokenOf(parsed),
    addressesPath: resolve(options.addresses),
    resumes: options.resume,
    earlier: options.adopt ? "adopt" : options.again ? "again" : "refuse",
    hasGenesis: options.genesis !== null,
    waiting: { timer: KEEPING_TIMER, signal: context.signal },
  });
  const steps = bootstrap.chosen(options.only);
  for (const warning of [...warnings, ...(await bootstrap.warnings())]) {
    context.err(`warning: ${warning}`);
  }
  if (options.plan) {
    const { plan } = bootstrap;
    if (plan.hasGenesis && options.genesis === null) {
      const message =
        "is missing: the plan has a genesis section, which must be written to its file";
      throw wrongOption(sources, "genesis", message);
    }
    bootstrap.keep();
    if (options.genesis !== null)
      writeGenesis(options.genesis, genesisFile(plan, settings), sources);
    for (const line of planLines(bootstrap.steps)) context.out(line);
    context.out("");
    context.out(
      options.genesis === null
        ? overrideLine(plan, settings.appChainId)
        : `--chain-config-path ${resolve(options.genesis)}`,
    );
    return EXIT.ok;
  }
  const newLine = (): ProgressLine => new ProgressLine(context.terminal, () => performance.now());
  let progress = newLine();
  try {
    await bootstrap.run(steps, options.dryRun, {
      begin(step, position, count) {
        progress = newLine();
        progress.say(stepLine(step, position, count, undefined));
      },
      end(step, position, count, outcome) {
        progress.end();
        context.out(stepLine(step, position, count, outcome));
      },
    });
  } finally {
    progress.end();
  }
  if (options.dryRun) return EXIT.ok;
  context.out(`the addresses are in ${resolve(options.addresses)}`);
  if (options.only === null) {
    for (const line of ["", ...(await bootstrap.summary())]) context.out(line);
  }
  return EXIT.ok;
}

/** Writes the file, but never replaces one with different content: its operator may have added to it. */
function writeGenesis(file: string, text: string, sources: FlagSources): void {
  const path = resolve(file);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) {
      replaceFile(path, text, GENESIS_MODE);
      return;
    }
    const isSame = found.isFile() && found.size < MAX_GENESIS_BYTES;
    if (isSame && readFileSync(path, "utf8") === text) return;
  } catch {
    throw wrongOption(sources, "genesis", `${path} cannot be written or read`);
  }
  const message = `${path} exists and is not the file of this plan: name another one, or move it away`;
  throw wrongOption(sources, "genesis", message);
}

async function l1TokenOf({ options, sources }: Parsed) {
  const text = options.l1FeeToken;
  if (text === null) return null;
  const { readL1Address } = await import("#app/bootstrap/index.ts");
  const address = readL1Address(text);
  if (address !== undefined) return address;
  throw wrongOption(
    sources,
    "l1-fee-token",
    "is not an address: it is zero, or its checksum (EIP-55) is wrong",
  );
}
