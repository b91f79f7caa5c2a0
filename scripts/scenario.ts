import { stringifyJson } from "#base/codec/index.ts";
import { AppError } from "#base/errors/index.ts";

/** Runs scenario files and prints one JSON result each. */
async function main(paths: readonly string[]): Promise<number> {
  if (paths.length === 0) {
    process.stderr.write("usage: scripts/scenario FILE.json...\n");
    return 2;
  }
  // Loads the engine only if there are scenarios to run.
  const { runScenarioFile } = await import("#test/helpers/scenario/run.ts");
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

process.exitCode = await main(process.argv.slice(2));
