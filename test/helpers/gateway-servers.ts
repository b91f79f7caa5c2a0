import { createServer, type Server, type Socket } from "node:net";
import {
  type GatewayRequestReport,
  createGatewayClient,
  GATEWAY_LIMITS,
  type GatewayClient,
  type GatewayClientOptions,
} from "#io/feeder/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";

/** A server with responses set by the test, and its requests. */
export interface AnsweringGateway {
  readonly url: string;
  readonly port: number;
  /** Path and query of each request, and its headers. */
  readonly asked: string[];
  readonly headers: Headers[];
  answer: (request: Request) => Response | Promise<Response>;
  stop(): Promise<void>;
}

/** Starts a server. @param port - 0 for any */
export function answeringGateway(
  answer: AnsweringGateway["answer"] = () => json({}),
  port = 0,
): AnsweringGateway {
  const asked: string[] = [];
  const headers: Headers[] = [];
  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      asked.push(pathname + search);
      headers.push(new Headers(request.headers));
      return gateway.answer(request);
    },
  });
  const gateway: AnsweringGateway = {
    url: `http://127.0.0.1:${server.port}`,
    port: Number(server.port),
    asked,
    headers,
    answer,
    stop: () => server.stop(true),
  };
  return gateway;
}

/** A response in the format of gateways. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** Creates a gateway's error response, by default for a missing object. */
export function fault(code: string, message = "no", status = 400): Response {
  return json({ code: `StarknetErrorCode.${code}`, message }, status);
}

/** A server that writes raw bytes, and its number of open connections. */
export interface RawGateway {
  readonly url: string;
  readonly open: ReadonlySet<Socket>;
  stop(): void;
}

/**
 * Starts a server.
 *
 * @param onRequest - called with each connection once the first bytes have arrived
 */
export async function rawGateway(onRequest: (socket: Socket) => void): Promise<RawGateway> {
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    socket.once("data", () => onRequest(socket));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    stop() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** Sends an endless body, one byte at a time. */
export function drip(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
  const dripping = setInterval(() => socket.write("1\r\n \r\n"), 40);
  socket.on("close", () => clearInterval(dripping));
}

/** A client with the reports of its requests. */
export interface ReportingClient {
  readonly client: GatewayClient;
  readonly reports: GatewayRequestReport[];
  readonly stop: AbortController;
}

/** A client of the gateways at these URLs. */
export function gatewayClient(
  urls: readonly string[],
  special: Partial<Omit<GatewayClientOptions, "limits">> & {
    readonly limits?: Partial<GatewayClientOptions["limits"]>;
  } = {},
): ReportingClient {
  const reports: GatewayRequestReport[] = [];
  const stop = new AbortController();
  const client = createGatewayClient({
    gateways: urls.map((url) => ({ feeder: `${url}/feeder_gateway`, gateway: `${url}/gateway` })),
    throttlingKey: undefined,
    timer: SYSTEM_TIMER,
    signal: stop.signal,
    onRequestEnded: (asked) => reports.push(asked),
    ...special,
    limits: { ...GATEWAY_LIMITS, ...special.limits },
  });
  return { client, reports, stop };
}
