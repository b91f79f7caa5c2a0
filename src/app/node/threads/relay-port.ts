import type { Port } from "#base/primitives/index.ts";
import { createMailbox } from "./mailbox.ts";

/**
 * Port whose other end can be replaced. Messages sent while disconnected are queued for the next end;
 * messages from a previous end are ignored.
 */
export class RelayPort<In, Out> implements Port<In, Out> {
  readonly #mailbox = createMailbox<In>();
  #target: Port<In, Out> | undefined;
  #waiting: { readonly message: Out; readonly transfer: ArrayBuffer[] | undefined }[] = [];

  send(message: Out, transfer?: ArrayBuffer[]): void {
    if (this.#target === undefined) this.#waiting.push({ message, transfer });
    else this.#target.send(message, transfer);
  }

  listen(handler: (message: In) => void): void {
    this.#mailbox.listen(handler);
  }

  /** Sends all queued and future messages to `target`. */
  connect(target: Port<In, Out>): void {
    this.#target = target;
    target.listen((message) => {
      if (this.#target === target) this.#mailbox.deliver(message);
    });
    for (const { message, transfer } of this.#waiting.splice(0)) target.send(message, transfer);
  }

  /** Queues messages until the next {@link connect}. */
  disconnect(): void {
    this.#target = undefined;
  }
}
