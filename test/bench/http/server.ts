/**
 * Serves one application in one of three ways and prints its port: the server side of
 * `http.bench.ts`.
 *
 *     bun test/bench/http/server.ts KIND SETTINGS
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { BODY_BUDGET_BYTES, BodyBudget } from "#api/rpc/http/body-budget.ts";
import type { HttpHandler, HttpRequest, UpgradeDeps } from "#api/rpc/http/message.ts";
import { openSampleListener } from "#test/helpers/sample-server.ts";
import { createApp, requestOf } from "./app.ts";
import type { Kind, Settings } from "./settings.ts";
import { bodyText, roomyBytes } from "#test/helpers/held-bytes.ts";

const SERVERS: Record<Kind, (app: HttpHandler, settings: Settings) => Promise<number>> = {
  async ours(app, settings) {
    const listener = await openSampleListener(settings);
    listener.serve(app);
    return listener.port;
  },

  async "node:http"(app, { timeouts, connections, hostname }) {
    const options = {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.idleMs,
      connectionsCheckingInterval: 100,
      maxHeaderSize: 16_384,
    };
    const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { status, headers, body } = await app(requestFrom(message));
      response.writeHead(status, headers).end(body ?? "");
    };
    const server = createServer(options, (message, response) => {
      // The request may break off in its body.
      answer(message, response).catch(() => response.destroy());
    });
    server.timeout = timeouts.idleMs;
    server.maxConnections = connections.max;
    server.on("upgrade", (message, socket) => void upgrade(app, requestFrom(message), socket));
    await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
    const address = server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  },

  async "Bun.serve"(app, { timeouts, hostname }) {
    const server = Bun.serve({
      hostname,
      port: 0,
      development: false,
      idleTimeout: Math.min(255, timeouts.idleMs / 1_000),
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      async fetch(request) {
        const { method, url, headers, body } = request;
        const address = server.requestIP(request)?.address;
        const get = (name: string) => headers.get(name);
        const reply = await app(requestOf(method, url, get, address, body));
        return new Response(bodyText(reply.body), reply);
      },
    });
    return server.port ?? 0;
  },
};

function requestFrom(message: IncomingMessage): HttpRequest {
  const { method = "", url = "", headers, socket } = message;
  const get = (name: string) => headers[name.toLowerCase()]?.toString() ?? null;
  return requestOf(method, url, get, socket.remoteAddress, message);
}

async function upgrade(app: HttpHandler, request: HttpRequest, socket: Duplex): Promise<void> {
  const { status, headers, upgrade } = await app(request);
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  socket.write(`HTTP/1.1 ${status} Switching Protocols\r\nconnection: Upgrade\r\n${lines}\r\n`);
  const deps: UpgradeDeps = {
    socket: {
      // This kind does not report how many bytes the system accepted.
      write: (bytes) => {
        socket.write(bytes);
        return bytes.length;
      },
      end: () => void socket.end(),
      shutdown: () => void socket.end(),
      terminate: () => void socket.destroy(),
      pause: () => void socket.pause(),
      resume: () => void socket.resume(),
    },
    budget: new BodyBudget(BODY_BUDGET_BYTES, roomyBytes()),
    client: { address: "127.0.0.1" },
    messageMs: 1_000,
  };
  const connection = upgrade?.(deps);
  socket.on("data", (bytes: Buffer) => connection?.receive(bytes));
  socket.on("drain", () => connection?.drained());
  socket.on("close", () => connection?.closed());
}

const [kind = "ours", settings = "{}"] = process.argv.slice(2);
const { isRecording, ...rest } = JSON.parse(settings) as Settings;
// JSON has no infinity.
const connections = {
  ...rest.connections,
  maxPerAddress: rest.connections.maxPerAddress ?? Infinity,
};
const app = await createApp(isRecording);
console.log(await SERVERS[kind as Kind](app, { ...rest, isRecording, connections }));
