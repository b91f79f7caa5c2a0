import { startChain, type RunningChain } from "#test/helpers/binary.ts";
import { mainThreadMs } from "#test/helpers/main-thread-time.ts";
import { MemoryWatch, residentBytes } from "#test/helpers/memory-watch.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { SOCKET_FLOODS } from "#test/helpers/socket-floods.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";
import type { SocketFloodBytes, SocketFloodOrder } from "./socket-flood.worker.ts";

const CONNECTIONS = { small: [200], full: [50, 200] } as const;
const FLOOD_MS = { small: 120, full: 3_000 } as const;
/** Deadline until the node has accepted part of a flood on a busy machine. */
const BEGIN_MS = 30_000;
const PROBE_PAUSE_MS = 10;

/**
 * Additional main-thread work that an honest client may wait for during a flood. In small, on a
 * busy machine, other threads help less with garbage collection.
 */
const MORE_MS = { small: 1_000, full: 250 } as const;
const MOST_BYTES = { small: 1.25 * 2 ** 30, full: 2 ** 30 } as const;
/** Bound of the resident memory after the flood. */
const REST_BYTES = 600 << 20;
const REST_MS = 60_000;

/** Longest waits of honest clients, in milliseconds of main-thread time. */
interface Waits {
  http: number;
  webSocket: number;
}

/** Sends requests over HTTP and over a WebSocket until stopped. */
async function probe({ pid, rpcPort }: RunningChain, isOn: () => boolean): Promise<Waits> {
  const waits: Waits = { http: 0, webSocket: 0 };
  const timed = async (kind: keyof Waits, ask: () => Promise<unknown>): Promise<void> => {
    do {
      const startMs = mainThreadMs(pid);
      await ask();
      waits[kind] = Math.max(waits[kind], mainThreadMs(pid) - startMs);
      await Bun.sleep(PROBE_PAUSE_MS);
    } while (isOn());
  };
  const http = await RawConnection.open(rpcPort);
  const webSocket = await WsClient.open(`ws://127.0.0.1:${rpcPort}`);
  try {
    await Promise.all([
      timed("http", () => http.send(rawPost(rpcBody(1, "chainId"))).responses(1, 60_000)),
      timed("webSocket", () => webSocket.ask("starknet_chainId", [])),
    ]);
  } finally {
    http.close();
    webSocket.close();
  }
  return waits;
}

/** Floods the node, and measures honest clients meanwhile. */
async function floodAndProbe(
  chain: RunningChain,
  order: Omit<SocketFloodOrder, "port">,
  forMs: number,
): Promise<Waits> {
  const worker = new Worker(new URL("socket-flood.worker.ts", import.meta.url));
  let bytes = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<SocketFloodBytes>) => (bytes += data));
  worker.postMessage({ ...order, port: chain.rpcPort } satisfies SocketFloodOrder);
  try {
    await untilTrue(() => bytes > 0, BEGIN_MS);
    return await probe(chain, during(forMs));
  } finally {
    worker.terminate();
  }
}

async function attack(chain: RunningChain, scale: AttackScale): Promise<AttackReport> {
  const forMs = FLOOD_MS[scale];
  const memory = new MemoryWatch(chain.pid);
  const alone = await probe(chain, during(forMs));
  const worst = { http: 0, webSocket: 0, bytes: 0 };
  const broken: string[] = [];
  for (const connections of CONNECTIONS[scale]) {
    for (const { name } of SOCKET_FLOODS) {
      memory.takePeak();
      const waits = await floodAndProbe(chain, { flood: name, connections }, forMs);
      const bytes = memory.takePeak();
      worst.http = Math.max(worst.http, waits.http);
      worst.webSocket = Math.max(worst.webSocket, waits.webSocket);
      worst.bytes = Math.max(worst.bytes, bytes);
      const isHeld =
        waits.http - alone.http <= MORE_MS[scale] &&
        waits.webSocket - alone.webSocket <= MORE_MS[scale] &&
        bytes < MOST_BYTES[scale];
      if (!isHeld) {
        broken.push(`${connections} sockets, ${name}: ${shown({ ...waits, bytes })}`);
      }
    }
  }
  memory.stop();
  await untilTrue(() => residentBytes(chain.pid) < REST_BYTES, REST_MS);
  const restBytes = residentBytes(chain.pid);
  if (restBytes >= REST_BYTES) broken.push(`${(restBytes / 2 ** 20).toFixed(0)} MiB are left`);
  const { http, webSocket } = alone;
  const figures = [
    `without a flood HTTP waits ${http.toFixed(0)} ms and WebSocket ${webSocket.toFixed(0)} ms`,
    `beside ${CONNECTIONS[scale].length * SOCKET_FLOODS.length} floods at most ${shown(worst)}`,
    ...broken,
  ];
  return { held: broken.length === 0, figures: figures.join("; ") };
}

/** Condition that holds for this many milliseconds from now. */
function during(forMs: number): () => boolean {
  const endMs = performance.now() + forMs;
  return () => performance.now() < endMs;
}

function shown({ http, webSocket, bytes }: Waits & { readonly bytes: number }): string {
  return `HTTP ${http.toFixed(0)} ms, WebSocket ${webSocket.toFixed(0)} ms of the main thread, ${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

/** Every kind of frame and of message, from many WebSocket connections. */
export const SOCKET_FLOOD: Attack = {
  name: "socket-flood",
  about: "floods of any frames and messages over WebSockets do not delay other clients",
  async run(scale) {
    using folder = temporaryFolder();
    const chain = await startChain({ basePath: folder.path });
    try {
      return await attack(chain, scale);
    } finally {
      await chain.stop("SIGKILL");
    }
  },
};
