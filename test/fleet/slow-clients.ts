import { connect, type Socket } from "node:net";

/** Half a request: the rest never comes. */
const HALF = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";

/** Clients that keep a request open. */
export interface SlowClients {
  /** Number of connections that are still open. */
  readonly open: number;
}

/**
 * Opens connections that send half a request each.
 *
 * @param from - their source address on this machine
 */
export async function slowClients(port: number, from: string, count: number): Promise<SlowClients> {
  const sockets = new Set<Socket>();
  const connecting = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect({ port, host: "127.0.0.1", localAddress: from });
    sockets.add(socket);
    const end = (): void => {
      sockets.delete(socket);
      resolve();
    };
    socket
      .on("error", end)
      .on("close", end)
      .on("end", () => socket.destroy());
    socket.on("connect", () => {
      socket.resume();
      socket.write(HALF, () => resolve());
    });
    return promise;
  });
  await Promise.all(connecting);
  // A connection above the limit is closed after it was accepted.
  await Bun.sleep(1_000);
  return {
    get open() {
      return sockets.size;
    },
  };
}
