import { wrongCommandLine } from "../option-errors.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { Replayer } from "#services/replay/index.ts";
import { startReplayCompiler } from "#app/node/index.ts";
import { connectChainNode } from "../chain-node.ts";
import type { CliContext } from "../command.ts";
import { NO_WORDS, parseArguments, type ParsedArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { replayOptions } from "./replay-options.ts";
import { agreementLines, differenceLines, summaryLine } from "./replay-report.ts";
import { replaySettings } from "./replay-settings.ts";

type Parsed = ParsedArguments<typeof replayOptions>;

/** Implements `appchain replay --url URL --block N`: re-executes blocks from a node's responses. */
export async function runReplay(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(replayOptions, argv, context.environment, NO_WORDS);
  const { options } = parsed;
  const [first, last] = rangeOf(parsed);
  const { url, timeout: timeoutMs, retries } = options;
  const port = await connectChainNode(
    { url, timeoutMs, retries, signal: context.signal },
    { needs: "a replay", done: "replayed" },
  );
  const settings = await replaySettings(parsed, await port.chainId());
  const vm = createCairoVm({
    maxMemoryBytes: options.executionMemoryBytes,
    // The only machine of the process may use its whole address space.
    maxSpanBytes: 2 ** 32,
  });
  const compilerSettings = {
    maxResidentBytes: options.compilerMemoryBytes,
    maxCpuMs: options.compilerTimeoutMs,
    niceness: options.compilerNiceness,
  };
  const compiler = startReplayCompiler(compilerSettings, SYSTEM_TIMER);
  try {
    const replayer = new Replayer({ port, vm, compiler, settings, signal: context.signal });
    return await replayAll(replayer, [first, last], context);
  } finally {
    await compiler.stop();
  }
}

async function replayAll(
  replayer: Replayer,
  [first, last]: readonly [number, number],
  context: CliContext,
): Promise<number> {
  for (let number = first; number <= last; number++) {
    const outcome = await replayer.replay(number);
    if (outcome.kind === "differs") {
      for (const line of differenceLines(number, outcome.difference)) context.out(line);
      return EXIT.runtime;
    }
    for (const line of agreementLines(outcome)) context.out(line);
  }
  if (last > first) context.out(summaryLine(first, last));
  return EXIT.ok;
}

function rangeOf({ options: { block, from, to } }: Parsed): readonly [number, number] {
  const wrong = (path: string, message: string): never => {
    throw wrongCommandLine(path, message);
  };
  if (block !== null) {
    if (from !== null || to !== null) wrong("--block", "cannot be combined with --from and --to");
    return [block, block];
  }
  if (from === null && to === null) wrong("--block", "is missing: set the block to replay");
  if (from === null || to === null) return wrong("--from, --to", "must be set together");
  if (from > to) wrong("--from", `must not be above --to (${to})`);
  return [from, to];
}
