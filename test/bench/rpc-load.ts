/**
 * The clients of `rpc.bench.ts`, in a separate process: connections that repeat one request and
 * read its response. Prints a line of JSON, {@link LoadReport}.
 *
 * Arguments: port, file with the body, calls in a body, connections, seconds.
 */
import type { LoadReport } from "./rpc-load-report.ts";

const [port = 0, , calls = 1, connections = 1, seconds = 1] = process.argv.slice(2).map(Number);
const body = await Bun.file(process.argv[3] ?? "").text();
const request = Buffer.from(
  `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);

/** Requests within this time of the start do not count: the first responses are slower. */
const WARM_UP_MS = 1_000;
/** Length of a response within which an error is detected. */
const HEAD_BYTES = 120;

const startedMs = performance.now();
const fromMs = startedMs + WARM_UP_MS;
const endMs = fromMs + seconds * 1000;
const latencies: number[] = [];
let responses = 0;
let errors = 0;
let cpuAtFromMs = 0;

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

setTimeout(() => (cpuAtFromMs = processCpuMs()), WARM_UP_MS);

async function connection(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let head = Buffer.alloc(0);
  /** Missing bytes of the response; negative while its length is unknown. */
  let missing = -1;
  let sentMs = 0;
  await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open(socket) {
        sentMs = performance.now();
        socket.write(request);
      },
      data(socket, bytes) {
        if (missing >= 0) missing -= bytes.length;
        else {
          head = Buffer.concat([head, bytes]);
          const end = head.indexOf("\r\n\r\n");
          if (end === -1) return;
          const length = /content-length: *(\d+)/i.exec(head.subarray(0, end).toString("latin1"));
          missing = end + 4 + Number(length?.[1]) - head.length;
        }
        if (missing > 0) return;
        const end = head.indexOf("\r\n\r\n") + 4;
        const isError = head
          .subarray(end, end + HEAD_BYTES)
          .toString("latin1")
          .includes('"error":');
        const nowMs = performance.now();
        // Late responses count as well, otherwise the slowest would be missing.
        if (sentMs >= fromMs) latencies.push(nowMs - sentMs);
        if (nowMs >= fromMs && nowMs < endMs) {
          responses++;
          if (isError) errors++;
        }
        head = Buffer.alloc(0);
        missing = -1;
        if (nowMs >= endMs) {
          socket.end();
          return;
        }
        sentMs = nowMs;
        socket.write(request);
      },
      close: () => resolve(),
      error: () => resolve(),
    },
  });
  await promise;
}

await Promise.all(Array.from({ length: connections }, connection));
const cpuMs = processCpuMs() - cpuAtFromMs;
const sorted = Float64Array.from(latencies).sort();
const quantile = (part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
const report: LoadReport = {
  callsPerSecond: (responses * calls) / seconds,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  errors,
  responses,
  cpuShare: cpuMs / (performance.now() - fromMs),
};
console.log(JSON.stringify(report));
