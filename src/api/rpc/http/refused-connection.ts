import { limitExceeded } from "../json-rpc.ts";
import { NOBODY } from "../limits/fair-queue.ts";
import { errorReply } from "./message.ts";
import { HttpOutput, type HttpSocket } from "./output.ts";
import type { Connection, HttpService } from "./service.ts";

/** For a client to read the answer: a connection closed with bytes unread is reset, answer and all. */
const LINGER_MS = 1_000;

/** A connection that there is no slot for: it is told so, whatever it asks, and closed. */
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

  /** What it sends is read, so that it can read, and goes nowhere. */
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

  checkTimes(nowMs: number): void {
    if (nowMs - this.#openedMs > LINGER_MS) this.#socket.terminate();
  }

  /** It has no slot that another one could have. */
  expendable(): undefined {
    return undefined;
  }

  giveWay(): void {
    this.#socket.terminate();
  }
}
