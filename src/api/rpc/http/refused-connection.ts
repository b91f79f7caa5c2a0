import { limitExceeded } from "../json-rpc.ts";
import { NOBODY } from "../limits/fair-queue.ts";
import { errorReply } from "./message.ts";
import { HttpOutput, type HttpSocket } from "./output.ts";
import type { Connection, HttpService } from "./service.ts";

/**
 * Time for a client to read the response: closing a connection with unread input resets it, and the response
 * is lost.
 */
const LINGER_MS = 1_000;

/** Connection without a free slot: any request is answered with a refusal, then the connection closes. */
export class RefusedConnection implements Connection {
  readonly #socket: HttpSocket;
  readonly #output: HttpOutput;
  readonly #openedMs = performance.now();

  constructor(
    socket: HttpSocket,
    reason: string,
    { unsent, writes }: Pick<HttpService, "unsent" | "writes">,
  ) {
    this.#socket = socket;
    const share = unsent.share(NOBODY, () => socket.terminate());
    this.#output = new HttpOutput(socket, share, writes);
    const reply = errorReply(limitExceeded(reason), 503, { "retry-after": "1" });
    this.#output.writeReply(reply, "close", false);
    this.drained();
  }

  /** Reads and discards input, so that the client can read the response. */
  receive(): void {
    return undefined;
  }

  drained(): void {
    this.#output.flush();
    this.#output.shutdown();
  }

  closed(): void {
    this.#output.forget();
  }

  endIfIdle(): void {
    this.#socket.terminate();
  }

  endIfUpgraded(): void {
    return undefined;
  }

  checkTimes(nowMs: number): void {
    if (nowMs - this.#openedMs > LINGER_MS) this.#socket.terminate();
  }

  /** A refused connection holds no slot that a new one could use. */
  expendable(): undefined {
    return undefined;
  }

  yieldSlot(): void {
    this.#socket.terminate();
  }
}
