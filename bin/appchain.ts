import { main, processContext, survivesClosedOutput } from "#app/cli/index.ts";

survivesClosedOutput([process.stdout, process.stderr]);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // A second request does not wait for an orderly stop.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
}
process.exitCode = await main(process.argv.slice(2), processContext(stop.signal));
