import { connect, type Socket } from "node:net";
import type { Served } from "./children.ts";

/** A connection with full control over its bytes. */
export class Client {
  readonly #socket: Socket;
  readonly #openedMs = performance.now();
  #text = "";
  #endedMs: number | undefined;
  /** Number of bytes received. */
  received = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (data: Buffer) => {
      this.received += data.byteLength;
      if (this.#text.length < 100_000) this.#text += data.toString("latin1");
    });
    for (const event of ["end", "close", "error"]) {
      socket.on(event, () => (this.#endedMs ??= performance.now()));
    }
  }

  /** @param localAddress - source address on this machine, to act as another client */
  static async open({ port, hostname }: Served, localAddress?: string): Promise<Client> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const local = localAddress === undefined ? {} : { localAddress };
    const socket = connect({ port, host: hostname, ...local }, resolve);
    socket.once("error", () => resolve());
    await promise;
    return new Client(socket);
  }

  send(bytes: string | Uint8Array): this {
    this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    return this;
  }

  /** Number of sent bytes that the system has accepted. */
  get sent(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }

  /** The first received bytes, as Latin-1. */
  get text(): string {
    return this.#text;
  }

  /** Statuses of the responses so far. */
  get statuses(): readonly string[] {
    return [...this.#text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
  }

  get isEnded(): boolean {
    return this.#endedMs !== undefined;
  }

  /** Seconds that the connection was open. */
  get openSeconds(): number {
    return ((this.#endedMs ?? performance.now()) - this.#openedMs) / 1_000;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes the sending side. */
  finish(): void {
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Waits until a condition holds, up to a timeout. @returns whether it does */
export async function holds(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition() && performance.now() < deadline) await Bun.sleep(10);
  return condition();
}
