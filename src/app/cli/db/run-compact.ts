import { compactDatabase } from "#io/storage/index.ts";
import type { CliContext } from "../command.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { lockedDataFolder } from "./data-folder.ts";
import { dbCompactOptions } from "./options.ts";
import { ProgressLine } from "./progress-line.ts";
import { sizeText } from "./sizes.ts";

/**
 * Implements `appchain db compact`: rewrites the chain database without free pages, and prints its
 * size before and after.
 *
 * @returns the exit code
 * @throws {StorageError} when a node is running, or when {@link compactDatabase} fails
 */
export async function runDbCompact(argv: readonly string[], context: CliContext): Promise<number> {
  const { options } = parseArguments(dbCompactOptions, argv, context.environment, NO_WORDS);
  const { chainDatabase, lock } = await lockedDataFolder(options.basePath);
  const line = new ProgressLine(context.terminal, () => performance.now());
  try {
    line.say(`compacting ${chainDatabase}`);
    const { bytesBefore, bytesAfter } = compactDatabase(chainDatabase);
    line.end();
    context.out(`before: ${sizeText(bytesBefore)}`);
    context.out(`after: ${sizeText(bytesAfter)}`);
    return EXIT.ok;
  } finally {
    line.end();
    lock.release();
  }
}
