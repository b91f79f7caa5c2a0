import type { RunningChain } from "#test/helpers/binary.ts";
import { type AnswerText, isSilentBody } from "./judge.ts";
import type { MadeRequest } from "./requests.ts";

/** Response timeout: far above any limit of the server. */
const ANSWER_MS = 60_000;

/** A transport for one request at a time. */
export interface Lane {
  readonly isWebSocket: boolean;
  /** @throws on a timeout or a closed connection */
  send(request: MadeRequest): Promise<AnswerText>;
  close(): void;
}

/** `/rpc/v0_10_2` of `0.10.2`. */
export function pathOf(version: string): string {
  return `/rpc/v${version.replaceAll(".", "_")}`;
}

/** Requests over HTTP. */
export function httpLane(chain: RunningChain): Lane {
  return {
    isWebSocket: false,
    async send({ version, body }) {
      const response = await fetch(chain.url + pathOf(version), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await response.text();
      return response.status === 204 && text === "" ? undefined : text;
    },
    close: () => undefined,
  };
}

/** Whether the server accepts WebSocket connections. */
export async function servesWebSocket(chain: RunningChain): Promise<boolean> {
  try {
    (await openSocket(chain, "0.10.2", () => undefined)).close();
    return true;
  } catch {
    return false;
  }
}

/** Requests over WebSocket connections, one for each version. */
export function webSocketLane(chain: RunningChain): Lane {
  const sockets = new Map<string, WebSocket>();
  let received: (string | Error)[] = [];
  let wake: () => void = () => undefined;
  let probes = 0;

  const receive = (message: string | Error): void => {
    // A notification belongs to no request.
    if (typeof message === "string" && message.startsWith('{"jsonrpc":"2.0","method":')) return;
    received.push(message);
    wake();
  };

  const nextMessage = async (): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, ANSWER_MS);
    if (received.length === 0) await promise;
    clearTimeout(timer);
    const message = received.shift() ?? new RangeError("no answer in time");
    if (typeof message !== "string") throw message;
    return message;
  };

  return {
    isWebSocket: true,
    async send({ version, body }) {
      let socket = sockets.get(version);
      if (socket === undefined || socket.readyState !== WebSocket.OPEN) {
        socket = await openSocket(chain, version, receive);
        sockets.set(version, socket);
      }
      received = [];
      socket.send(body);
      if (!isSilentBody(body)) return nextMessage();
      // The probe always gets a response; the body may get none if it breaks a limit.
      const id = `probe-${probes++}`;
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "starknet_chainId" }));
      let answer: string | undefined;
      for (;;) {
        const text = await nextMessage();
        if (text.includes(`"id":"${id}"`)) return answer;
        answer = text;
      }
    },
    close() {
      for (const socket of sockets.values()) socket.close();
    },
  };
}

async function openSocket(
  chain: RunningChain,
  version: string,
  receive: (message: string | Error) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(chain.url.replace("http", "ws") + pathOf(version));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.onopen = () => resolve();
  socket.onerror = () => reject(new RangeError("the connection was refused"));
  socket.onmessage = ({ data }) => receive(String(data));
  socket.onclose = ({ code, reason }) => {
    reject(new RangeError("the connection was refused"));
    receive(new RangeError(`the connection ended: ${code} ${reason}`));
  };
  await promise;
  return socket;
}
