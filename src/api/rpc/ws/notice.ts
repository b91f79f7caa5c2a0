import { stringifyJson } from "#base/codec/index.ts";
import type { Encoder } from "../spec/version.ts";

const utf8 = new TextEncoder();

/**
 * Notification content: encoded once per form, for any number of clients. Forms are distinguished by their
 * encoders.
 */
export class Notice<T> {
  readonly #value: T;
  readonly #written = new Map<Encoder<T>, Uint8Array>();

  constructor(value: T) {
    this.#value = value;
  }

  /**
   * Returns the UTF-8 JSON of a form.
   *
   * @param onWritten - called when it is encoded for the first time
   */
  bytes(encode: Encoder<T>, onWritten: () => void): Uint8Array {
    const known = this.#written.get(encode);
    if (known !== undefined) return known;
    const written = utf8.encode(stringifyJson(encode(this.#value)));
    this.#written.set(encode, written);
    onWritten();
    return written;
  }
}
