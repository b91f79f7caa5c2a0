import { resolve } from "node:path";
import type { Timer } from "#base/primitives/index.ts";
import type { CliContext } from "../command.ts";
import { ProgressLine } from "../db/progress-line.ts";
import { notBoth, wrongOption } from "../given.ts";
import { NO_WORDS, parseArguments, type ParsedArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { bootstrapOptions } from "./options.ts";
import { stepLine } from "./step-line.ts";

type Given = ParsedArguments<typeof bootstrapOptions>;

/** Its alarms keep the process alive: nothing else does while it waits, and Bun would turn in circles. */
const KEEPING_TIMER: Timer = {
  nowMs: () => performance.now(),
  after(delayMs, callback) {
    const alarm = setTimeout(callback, delayMs);
    return () => clearTimeout(alarm);
  },
};

/** `appchain bootstrap`: sets up a new chain on L1 and L2, step by step, and as often as it is asked to. */
export async function runBootstrap(argv: readonly string[], context: CliContext): Promise<number> {
  const { environment } = context;
  const parsed = parseArguments(bootstrapOptions, argv, environment, NO_WORDS);
  const { options, given } = parsed;
  if (options.plan && options.dryRun) throw notBoth(given, "plan", "dry-run");
  if (options.plan && options.only !== null) throw notBoth(given, "plan", "only");
  // What talks to L1 and L2 is large, and other commands do without.
  const { Bootstrap, overrideLine, planLines, readSettings } =
    await import("#app/bootstrap/index.ts");
  const { settings, warnings } = readSettings(environment, options.dev);
  const bootstrap = await Bootstrap.plan({
    settings,
    l1Token: await l1TokenOf(parsed),
    addressesPath: resolve(options.addresses),
    resumes: options.resume,
    waiting: { timer: KEEPING_TIMER, signal: context.signal },
  });
  const steps = bootstrap.chosen(options.only);
  for (const warning of [...warnings, ...(await bootstrap.warnings())]) {
    context.err(`warning: ${warning}`);
  }
  if (options.plan) {
    for (const line of planLines(bootstrap.steps)) context.out(line);
    context.out("");
    context.out(overrideLine(bootstrap.plan, settings.appChainId));
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
  if (!options.dryRun) context.out(`the addresses are in ${resolve(options.addresses)}`);
  return EXIT.ok;
}

async function l1TokenOf({ options, given }: Given) {
  const text = options.l1FeeToken;
  if (text === null) return null;
  const { readL1Address } = await import("#app/bootstrap/index.ts");
  const address = readL1Address(text);
  if (address !== undefined) return address;
  throw wrongOption(
    given,
    "l1-fee-token",
    "is no address: it is zero, or its checksum (EIP-55) is wrong",
  );
}
