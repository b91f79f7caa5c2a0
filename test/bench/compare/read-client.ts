/**
 * The readers of `scripts/bench-compare`, in a separate process: connections that repeat one
 * request and read its response. Prints a line of JSON, {@link ReadReport}.
 *
 * Arguments: port, connections, warm-up in milliseconds, duration in milliseconds, body of the
 * request.
 */
import { quantile } from "../latency.ts";
import { progress } from "./progress.ts";
import { Connection, requestBytes } from "./connection.ts";
import type { ReadReport } from "./read-report.ts";

const [port = 0, connections = 1, warmUpMs = 0, countedMs = 0] = process.argv
  .slice(2, 6)
  .map(Number);
const request = requestBytes(process.argv[6] ?? "");

const startedMs = performance.now();
const fromMs = startedMs + warmUpMs;
const endMs = fromMs + countedMs;
const latencies: number[] = [];
let answers = 0;
let open = connections;
let cpuBefore = process.cpuUsage();
setTimeout(() => (cpuBefore = process.cpuUsage()), warmUpMs);
const { promise, resolve } = Promise.withResolvers<void>();

function fail(text: string): never {
  progress(text);
  process.exit(1);
}

for (let i = 0; i < connections; i++) {
  let sentMs = performance.now();
  let isDone = false;
  const connection = await Connection.open(
    port,
    (body) => {
      const nowMs = performance.now();
      // Only some responses are inspected; an error has no result.
      if ((answers & 255) === 0 && !body.includes('"result":')) fail(body.toString());
      if (sentMs >= fromMs) latencies.push(nowMs - sentMs);
      if (nowMs >= fromMs && nowMs < endMs) answers++;
      if (nowMs >= endMs) {
        isDone = true;
        connection.close();
        if (--open === 0) resolve();
        return;
      }
      sentMs = nowMs;
      connection.send(request);
    },
    () => isDone || fail("the server ended a connection"),
  );
  connection.send(request);
}
await promise;

const { user, system } = process.cpuUsage(cpuBefore);
const report: ReadReport = {
  perSecond: answers / (countedMs / 1000),
  p50Ms: quantile(latencies, 0.5),
  p99Ms: quantile(latencies, 0.99),
  clientShare: (user + system) / 1000 / (performance.now() - fromMs),
};
console.log(JSON.stringify(report));
