import { connect, type Socket } from "node:net";

/** Half a request: the rest never comes. */
const HALF = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";

/** Clients that keep a request open. */
export interface SlowClients {
  /** How many of their connections nobody has ended. */
  readonly open: number;
}

/**
 * Opens connections that send half a request each.
 *
 * @param from - the address that they come from, of this machine
 */
export async function slowClients(port: number, from: string, count: number): Promise<SlowClients> {
  const sockets = new Set<Socket>();
  const begun = Array.from({ length: count }, () => {
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
  await Promise.all(begun);
  // One that is over the limit is ended after it was taken.
  await Bun.sleep(1_000);
  return {
    get open() {
      return sockets.size;
    },
  };
}
