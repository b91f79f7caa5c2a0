import { connect, type Socket } from "node:net";
import { rawPost } from "#test/helpers/raw-http.ts";

/** Order for an attacker thread; it runs until it is stopped. */
export interface HoardOrder {
  readonly port: number;
  readonly connections: number;
  /** Bodies of POST requests, in rotation over the connections. */
  readonly bodies: readonly string[];
  /**
   * One in so many connections reads its responses and repeats its body; the others read nothing.
   */
  readonly readerOf: number;
}

/** Pause before a closed connection is reopened. */
const PAUSE_MS = 100;

/** Open connections; `undefined` once no more are opened. */
let sockets: Set<Socket> | undefined = new Set();

/** Keeps a connection open and sends the body on it. */
function flood(port: number, body: string, isReader: boolean): void {
  if (sockets === undefined) return;
  const socket = connect({ port, host: "127.0.0.1" }, () => {
    socket.write(body, "latin1");
    if (isReader) readAll(socket, () => socket.write(body, "latin1"));
    else socket.pause();
  });
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.on("close", () => {
    sockets?.delete(socket);
    setTimeout(() => flood(port, body, isReader), PAUSE_MS);
  });
}

/** Reads and discards responses, and calls back after each. */
function readAll(socket: Socket, answered: () => void): void {
  let head = "";
  let leftBytes: number | undefined;
  socket.on("data", (data: Buffer) => {
    let bytes = data;
    if (leftBytes === undefined) {
      head += bytes.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      leftBytes = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
      bytes = Buffer.from(head.slice(end + 4), "latin1");
    }
    leftBytes -= bytes.byteLength;
    if (leftBytes > 0) return;
    [head, leftBytes] = ["", undefined];
    answered();
  });
}

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<HoardOrder | "end">) => {
  if (data === "end") {
    const open = sockets ?? [];
    sockets = undefined;
    for (const socket of open) socket.destroy();
    self.postMessage("ended");
    return;
  }
  const bodies = data.bodies.map((body) => rawPost(body));
  for (let i = 0; i < data.connections; i++) {
    flood(data.port, bodies[i % bodies.length] ?? "", i % data.readerOf === 0);
  }
};
