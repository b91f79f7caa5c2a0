import type { Port } from "#base/primitives/index.ts";
import { createMailbox } from "./mailbox.ts";

/**
 * A port whose other end can be exchanged: what is sent while there is none waits for the next one, and
 * what an old one still says is not heard any more.
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

  /** Everything goes to `target` from now on, what waited first. */
  connect(target: Port<In, Out>): void {
    this.#target = target;
    target.listen((message) => {
      if (this.#target === target) this.#mailbox.deliver(message);
    });
    for (const { message, transfer } of this.#waiting.splice(0)) target.send(message, transfer);
  }

  /** The other end is gone. */
  disconnect(): void {
    this.#target = undefined;
  }
}
