import { settingsExecution, wordsOf } from "./process-settings.ts";

// The program is loaded only after the process has its settings.
const words = wordsOf(process.argv0, process.argv);
const { execPath, execArgv, env } = process;
const argv = [...process.argv.slice(0, 2), ...words];
const execution = settingsExecution(
  { execPath, execArgv, argv, env },
  import.meta.path.includes("/$bunfs/"),
);
if (execution !== undefined) {
  try {
    process.execve?.(execution.path, [...execution.argv], { ...execution.env });
  } catch {
    // The executable may have been replaced or removed since the start: continue without the settings,
    // slower.
  }
}

const { main, processContext, survivesClosedOutput } = await import("#app/cli/index.ts");

survivesClosedOutput([process.stdout, process.stderr]);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second signal exits immediately instead of waiting for an orderly shutdown.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
}
process.exitCode = await main(words, processContext(stop.signal));
