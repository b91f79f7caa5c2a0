import { rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { cpuMs, median } from "../pairs.ts";
import type { Served } from "./children.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const CALL = rpcBody(1, "blockNumber");
const LONG = `${CALL.slice(0, -1)}${" ".repeat(100 << 10)}}`;

const LOADS = [
  { what: "blockNumber", bytes: Buffer.from(rawPost(CALL)), count: 16_000 },
  { what: "a body of 100 KiB", bytes: Buffer.from(rawPost(LONG)), count: 2_000 },
] as const;
const CONNECTIONS = [1, 32, 256] as const;

/**
 * Repeats a request over persistent connections, sequentially on each. @returns the number of
 * responses
 */
async function ask(
  port: number,
  bytes: Buffer,
  count: number,
  connections: number,
): Promise<number> {
  let asked = 0;
  let answered = 0;
  const connection = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let unsent: Uint8Array = new Uint8Array();
    let missing = 0;
    const write = (socket: Bun.Socket, part: Uint8Array): void => {
      unsent = part.subarray(Math.max(0, socket.write(part)));
    };
    const next = (socket: Bun.Socket): void => {
      missing = 0;
      if (asked++ < count) write(socket, bytes);
      else socket.end();
    };
    await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open: next,
        drain: (socket) => void (unsent.byteLength > 0 && write(socket, unsent)),
        data(socket, part) {
          // A server may send head and body separately.
          if (missing === 0) {
            const head = part.toString("latin1");
            const end = head.indexOf("\r\n\r\n") + 4;
            missing = end + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
          }
          missing -= part.byteLength;
          if (missing > 0) return;
          answered++;
          next(socket);
        },
        close: () => resolve(),
        error: () => resolve(),
      },
    });
    await promise;
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return answered;
}

/** Prints requests per second and processor time per request of each server, in turn. */
export async function printLoads(servers: readonly Served[]): Promise<void> {
  console.log(`median of ${ROUNDS} rounds, in turns: requests/s, us of processor per request`);
  for (const { what, bytes, count } of LOADS) {
    for (const { port } of servers) await ask(port, bytes, 4 * count, 32);
    for (const connections of CONNECTIONS) {
      const wanted = connections === 1 ? count / 2 : count;
      const found = servers.map((): { rate: number; us: number }[] => []);
      for (let round = 0; round < ROUNDS; round++) {
        const order = round % 2 === 0 ? [...servers.keys()] : [...servers.keys()].toReversed();
        for (const i of order) {
          const { port, pid } = servers[i] as Served;
          const [startedMs, beforeMs] = [performance.now(), cpuMs(pid)];
          const answered = await ask(port, bytes, wanted, connections);
          const rate = (answered * 1_000) / (performance.now() - startedMs);
          found[i]?.push({ rate, us: ((cpuMs(pid) - beforeMs) * 1_000) / answered });
        }
      }
      const figures = servers.map(({ kind }, i) => {
        const rounds = found[i] ?? [];
        const rate = median(rounds.map((each) => each.rate)).toFixed(0);
        return `${kind} ${rate} / ${median(rounds.map(({ us }) => us)).toFixed(1)}`;
      });
      console.log(`${what}, ${connections} connections: ${figures.join("; ")}`);
    }
  }
}
