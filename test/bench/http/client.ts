import { connect, type Socket } from "node:net";
import type { Served } from "./children.ts";

/** A connection whose client does what it likes. */
export class Client {
  readonly #socket: Socket;
  readonly #openedMs = performance.now();
  #text = "";
  #endedMs: number | undefined;
  /** Bytes that have come. */
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

  /** @param localAddress - of this machine, to be another client */
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

  /** Bytes that the system has taken of what was sent. */
  get sent(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }

  /** The first bytes that have come, as Latin-1. */
  get text(): string {
    return this.#text;
  }

  /** Statuses of the answers so far. */
  get statuses(): readonly string[] {
    return [...this.#text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
  }

  get isEnded(): boolean {
    return this.#endedMs !== undefined;
  }

  /** How long it was open, in seconds. */
  get openSeconds(): number {
    return ((this.#endedMs ?? performance.now()) - this.#openedMs) / 1_000;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Says that nothing more is sent. */
  finish(): void {
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Waits until something holds, or so long. @returns whether it does */
export async function holds(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition() && performance.now() < deadline) await Bun.sleep(10);
  return condition();
}
