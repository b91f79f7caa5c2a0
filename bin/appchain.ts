import { settingsExecution, wordsOf } from "./process-settings.ts";

// The program itself is loaded once the process is as it shall be.
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
    // The executable may have been replaced or removed since it was started: it runs as it is, slower.
  }
}

const { main, processContext, survivesClosedOutput } = await import("#app/cli/index.ts");

survivesClosedOutput([process.stdout, process.stderr]);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second request does not wait for an orderly stop.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
}
process.exitCode = await main(words, processContext(stop.signal));
