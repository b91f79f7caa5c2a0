import type { CliContext } from "../command.ts";
import { parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { errorLine, hashLines, sizeNotes } from "./class-report.ts";
import { CLASS_WORDS, classHashOptions, limitsOf } from "./options.ts";
import { compileClassFile } from "./read-class.ts";

/**
 * Implements `appchain class hash FILE`: prints hashes to standard output, everything else to
 * standard error.
 */
export async function runClassHash(argv: readonly string[], context: CliContext): Promise<number> {
  const { positionals, options } = parseArguments(
    classHashOptions,
    argv,
    context.environment,
    CLASS_WORDS,
  );
  const { name, outcome } = await compileClassFile(
    positionals[0] ?? "",
    { maxBytecodeSize: null, limits: limitsOf(options) },
    context,
  );
  if (outcome.kind === "invalid") {
    context.err(errorLine(name, outcome.reason));
    return EXIT.runtime;
  }
  for (const line of hashLines(outcome)) context.out(line);
  if (outcome.kind === "refused") {
    context.err(errorLine(name, `the class does not compile: ${outcome.reason}`));
    return EXIT.runtime;
  }
  if (outcome.kind === "legacy") {
    context.err("note: a Cairo 0 class has no Sierra, and so no compiled class hash");
  }
  for (const note of sizeNotes(outcome)) context.err(note);
  return EXIT.ok;
}
