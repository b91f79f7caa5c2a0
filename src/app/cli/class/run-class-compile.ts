import type { CliContext } from "../command.ts";
import { parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { errorLine, hashLines, sizeNotes } from "./class-report.ts";
import { CLASS_WORDS, classCompileOptions, limitsOf } from "./options.ts";
import { compileClassFile, STANDARD } from "./read-class.ts";
import { wholeFile } from "./whole-file.ts";

/**
 * Implements `appchain class compile FILE`: writes the compiled class to a file and the hashes to
 * standard output, or the compiled class to standard output and the hashes to standard error.
 */
export async function runClassCompile(
  argv: readonly string[],
  context: CliContext,
): Promise<number> {
  const { options, positionals } = parseArguments(
    classCompileOptions,
    argv,
    context.environment,
    CLASS_WORDS,
  );
  const [file = ""] = positionals;
  const out =
    options.out === null || options.out === STANDARD
      ? null
      : wholeFile(options.out, file === STANDARD ? null : file);
  const { name, outcome } = await compileClassFile(
    file,
    { maxBytecodeSize: options.maxBytecodeSize, limits: limitsOf(options) },
    context,
  );
  if (outcome.kind === "compiled") {
    if (out === null) context.out(outcome.casm);
    else out.write(`${outcome.casm}\n`);
    const say = out === null ? context.err : context.out;
    for (const line of hashLines(outcome)) say(line);
    for (const note of sizeNotes(outcome)) context.err(note);
    return EXIT.ok;
  }
  if (outcome.kind === "legacy") {
    const reason =
      "a Cairo 0 class needs no compilation, because it has no Sierra; its class hash is";
    context.err(errorLine(name, `${reason} ${outcome.classHash}`));
  } else context.err(errorLine(name, outcome.reason));
  return EXIT.runtime;
}
