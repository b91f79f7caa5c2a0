import { connect, type Socket } from "node:net";

/** A response in the bytes of a connection. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A POST of JSON as bytes of a connection. */
export function rawPost(body: string, headers: readonly string[] = []): string {
  const head = ["POST / HTTP/1.1", "host: 127.0.0.1", "content-type: application/json", ...headers];
  return [...head, `content-length: ${Buffer.byteLength(body)}`, "", body].join("\r\n");
}

/** The opening handshake of a WebSocket as bytes of a connection, with the key of RFC 6455, section 1.3. */
export function rawHandshake(path = "/", headers: readonly string[] = []): string {
  return [
    `GET ${path} HTTP/1.1`,
    "host: localhost",
    "upgrade: websocket",
    "connection: Upgrade",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-version: 13",
    ...headers,
    "\r\n",
  ].join("\r\n");
}

/** A JSON-RPC request. */
export function rpcBody(id: number | string, method: string, params: unknown = []): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: `starknet_${method}`, params });
}

/** A connection that sends raw bytes. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #isHead: boolean;
  #received: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket, isHead: boolean) {
    this.#socket = socket;
    this.#isHead = isHead;
    socket.on("data", (data: Buffer) => {
      this.#received = Buffer.concat([this.#received, data]);
      this.#wake();
    });
    for (const event of ["close", "end", "error"]) {
      socket.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  /**
   * @param isHead - responses have no body, whatever their length header
   * @param localAddress - address of the client, as seen by the server
   */
  static async open(
    port: number,
    isHead = false,
    localAddress = "127.0.0.1",
  ): Promise<RawConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = connect({ port, host: "127.0.0.1", localAddress }, resolve);
    socket.once("error", reject);
    await promise;
    return new RawConnection(socket, isHead);
  }

  /** Sends bytes as they are; text goes one byte per unit. */
  send(bytes: string | Uint8Array): this {
    if (typeof bytes === "string") this.#socket.write(bytes, "latin1");
    else this.#socket.write(bytes);
    return this;
  }

  /** Up to `count` responses; fewer if the connection is closed or after `timeoutMs`. */
  async responses(count: number, timeoutMs = 20_000): Promise<RawResponse[]> {
    const found: RawResponse[] = [];
    const deadline = performance.now() + timeoutMs;
    while (found.length < count) {
      const next = this.#take();
      if (next !== undefined) found.push(next);
      else if (this.#ended || !(await this.#more(deadline))) break;
    }
    return found;
  }

  /** Whether the other side closes the connection within `timeoutMs`. */
  async ends(timeoutMs = 20_000): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (!this.#ended) if (!(await this.#more(deadline))) return false;
    return true;
  }

  /** Received bytes after the last complete response. */
  get rest(): string {
    return this.#received.toString("latin1");
  }

  /** Stops reading: further bytes stay with the system and the sender. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  async #more(deadline: number): Promise<boolean> {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), leftMs);
    this.#wake = () => resolve(true);
    const isMore = await promise;
    clearTimeout(timer);
    return isMore;
  }

  #take(): RawResponse | undefined {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const [first = "", ...lines] = this.#received.subarray(0, end).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = this.#isHead ? 0 : Number(headers["content-length"] ?? 0);
    if (this.#received.length < end + 4 + length) return undefined;
    const body = this.#received.subarray(end + 4, end + 4 + length).toString();
    this.#received = this.#received.subarray(end + 4 + length);
    return { status: Number(first.split(" ")[1]), headers, body };
  }
}
