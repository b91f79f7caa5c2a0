import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can be cut without the server noticing. */
export interface TcpPlug {
  readonly port: number;
  /** Stops forwarding in both directions; connections stay open and silent. */
  cut(): void;
  /** Forwards new connections; cut ones are closed. */
  join(): void;
  stop(): Promise<void>;
}

/** Listens on a free port of this machine and forwards everything to another one. */
export async function startTcpPlug(target: number): Promise<TcpPlug> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    const upstream = connect(target, "127.0.0.1");
    sockets.add(upstream);
    pass(socket, upstream);
    pass(upstream, socket);
  });
  function pass(from: Socket, to: Socket): void {
    from.on("data", (bytes) => {
      if (!isCut) to.write(bytes);
    });
    const end = (): void => {
      sockets.delete(from);
      if (!isCut) to.destroy();
    };
    from.on("close", end);
    from.on("error", end);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut() {
      isCut = true;
    },
    join() {
      isCut = false;
      closeAll();
    },
    async stop() {
      closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
