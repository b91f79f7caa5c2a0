/** A client with the runtime's WebSocket that can wait for messages. */
export class WsClient {
  readonly socket: WebSocket;
  /** Received messages that were not taken yet, parsed. */
  readonly received: Record<string, unknown>[] = [];
  /** Settles with the reason when the connection is closed. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
  #waiters: (() => void)[] = [];
  #isClosed = false;
  #nextId = 1;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.received.push(JSON.parse(String(data)) as Record<string, unknown>);
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code, reason }) => {
        this.#isClosed = true;
        this.#wake();
        resolve([code, reason]);
      });
    });
  }

  /** @throws {TypeError} if the handshake is rejected */
  static async open(
    url: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<WsClient> {
    const client = new WsClient(new WebSocket(url, { headers } as never));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    client.socket.addEventListener("open", () => resolve());
    client.socket.addEventListener("error", () => reject(new TypeError("no WebSocket")));
    await promise;
    return client;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends a request and waits for its response, which it removes from {@link received}. */
  async ask(method: string, params: unknown = []): Promise<Record<string, unknown>> {
    const id = this.#nextId++;
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.take((message) => message["id"] === id);
  }

  /** Waits for a message and removes it from {@link received}. */
  async take(
    fits: (message: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.received.findIndex(fits);
      const [message] = found === -1 ? [] : this.received.splice(found, 1);
      if (message !== undefined) return message;
      if (this.#isClosed) throw new TypeError("the connection has ended");
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiters.push(resolve);
      await promise;
    }
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }

  close(): void {
    this.socket.close();
  }
}
