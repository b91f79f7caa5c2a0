import { stringifyJson } from "#base/codec/index.ts";
import { AppError } from "#base/errors/index.ts";
import { runScenarioFile } from "#test/helpers/scenario/run.ts";

/** Runs scenario files and prints one JSON result each. */
function main(paths: readonly string[]): number {
  if (paths.length === 0) {
    process.stderr.write("usage: scripts/scenario FILE.json...\n");
    return 2;
  }
  for (const path of paths) {
    try {
      process.stdout.write(`${stringifyJson(runScenarioFile(path))}\n`);
    } catch (error) {
      const isUnreadable = error instanceof Error && "syscall" in error;
      if (!isUnreadable && !(error instanceof AppError)) throw error;
      process.stderr.write(`${path}: ${error.message}\n`);
      return 1;
    }
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
