import { rawHandshake } from "#test/helpers/raw-http.ts";
import { connect, type Socket } from "node:net";
import { SOCKET_FLOODS } from "#test/helpers/socket-floods.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

/** Order for this thread; it floods until it is terminated. */
export interface SocketFloodOrder {
  readonly port: number;
  /** Name of one of {@link SOCKET_FLOODS}. */
  readonly flood: string;
  readonly connections: number;
}

/** Periodic report of this thread: bytes that the node accepted since the last one. */
export type SocketFloodBytes = number;

const WRITE_BYTES = 131_072;
const REPORT_MS = 50;

const HANDSHAKE = rawHandshake("/rpc/v0_9");

let taken = 0;

setInterval(() => {
  postMessage(taken satisfies SocketFloodBytes);
  taken = 0;
}, REPORT_MS);

/** Cancels the subscriptions whose ids are in bytes from the node. */
function unsubscribe(socket: Socket, bytes: Buffer): void {
  for (const [, id] of bytes.toString("latin1").matchAll(/"result":"(\d+)"/g)) {
    const request = { jsonrpc: "2.0", id: 2, method: "starknet_unsubscribe", params: [id] };
    socket.write(clientFrame(JSON.stringify(request)));
  }
}

/** Keeps one connection flooding; a connection that the node closes is reopened. */
function flood({ port, flood: name }: SocketFloodOrder): void {
  const found = SOCKET_FLOODS.find((each) => each.name === name);
  if (found === undefined) return;
  const { round, unsubscribes } = found;
  const rounds = Math.max(1, Math.floor(WRITE_BYTES / round.byteLength));
  const bytes = Buffer.concat(Array.from({ length: rounds }, () => round));
  const begin = (): void => {
    const socket = connect({ port, host: "127.0.0.1" });
    const pump = (): void => {
      while (!socket.destroyed && socket.write(bytes, () => (taken += bytes.byteLength)));
    };
    socket.once("connect", () => socket.write(HANDSHAKE));
    // The node has responded to the handshake.
    socket.once("data", () => {
      // An endless message needs a first frame.
      if (name === "a message without an end") socket.write(clientFrame("", { isFinal: false }));
      pump();
    });
    socket.on("drain", pump);
    socket.on("data", (data) => {
      if (unsubscribes === true) unsubscribe(socket, Buffer.from(data));
    });
    socket.on("error", () => undefined);
    socket.once("close", () => setTimeout(begin, 10));
  };
  begin();
}

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<SocketFloodOrder>) => {
  for (let i = 0; i < data.connections; i++) flood(data);
};
