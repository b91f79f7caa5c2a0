/** Called with the body of each response, which is only valid until the callback returns. */
export type OnAnswer = (body: Buffer) => void;

/**
 * HTTP/1.1 connection of a load client, one request at a time, with minimal processor time: a
 * response with the length and header of the previous one is not parsed again.
 */
export class Connection {
  readonly #socket: Bun.Socket;
  readonly #onAnswer: OnAnswer;
  #unsent: Uint8Array = new Uint8Array();
  #received: Buffer = Buffer.alloc(0);
  /** Size of the previous response, head and body; 0 before the first. */
  #knownBytes = 0;
  #knownHeadBytes = 0;
  /** Content-length header of the previous response, and its position. */
  #knownLength: Buffer = Buffer.alloc(0);
  #knownLengthAt = 0;

  private constructor(socket: Bun.Socket, onAnswer: OnAnswer) {
    this.#socket = socket;
    this.#onAnswer = onAnswer;
  }

  /**
   * @param onAnswer - receives a response; it may send the next request
   * @param onLost - called when the server closes the connection
   */
  static async open(port: number, onAnswer: OnAnswer, onLost: () => void): Promise<Connection> {
    let connection: Connection | undefined;
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, bytes) => connection?.take(bytes),
        drain: () => connection?.drain(),
        close: onLost,
        error: onLost,
      },
    });
    return (connection = new Connection(socket, onAnswer));
  }

  /** Sends a request. Must not be called before the previous response has arrived. */
  send(request: Uint8Array): void {
    const written = this.#socket.write(request);
    if (written < request.byteLength) this.#unsent = request.subarray(Math.max(0, written));
  }

  close(): void {
    this.#socket.end();
  }

  private drain(): void {
    const unsent = this.#unsent;
    if (unsent.byteLength === 0) return;
    this.#unsent = unsent.subarray(Math.max(0, this.#socket.write(unsent)));
  }

  private take(bytes: Buffer): void {
    if (this.#received.byteLength === 0 && this.isLikeBefore(bytes)) {
      this.#onAnswer(bytes.subarray(this.#knownHeadBytes));
      return;
    }
    const received =
      this.#received.byteLength === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    const headEnd = received.indexOf("\r\n\r\n");
    const bodyStart = headEnd + 4;
    const head = headEnd === -1 ? "" : received.toString("latin1", 0, headEnd);
    const header = /content-length: *(\d+)/i.exec(head);
    const length = Number(header?.[1] ?? Number.NaN);
    if (headEnd === -1 || received.byteLength < bodyStart + length) {
      this.#received = Buffer.from(received);
      return;
    }
    if (Number.isNaN(length)) throw new TypeError(`an answer without a length: ${head}`);
    this.#received = Buffer.alloc(0);
    this.#knownBytes = bodyStart + length;
    this.#knownHeadBytes = bodyStart;
    this.#knownLengthAt = header?.index ?? 0;
    const lengthEnd = this.#knownLengthAt + (header?.[0].length ?? 0) + 2;
    this.#knownLength = Buffer.from(received.subarray(this.#knownLengthAt, lengthEnd));
    this.#onAnswer(received.subarray(bodyStart));
  }

  private isLikeBefore(bytes: Buffer): boolean {
    const at = this.#knownLengthAt;
    const known = this.#knownLength;
    return (
      bytes.byteLength === this.#knownBytes &&
      bytes.compare(known, 0, known.byteLength, at, at + known.byteLength) === 0
    );
  }
}

/** Bytes of a JSON-RPC request over HTTP. */
export function requestBytes(body: string): Buffer {
  return Buffer.from(
    `POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
