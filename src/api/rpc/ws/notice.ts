import { stringifyJson } from "#base/codec/index.ts";
import type { Encoder } from "../spec/version.ts";

const utf8 = new TextEncoder();

/**
 * Something that clients are told: written once per form, however many they are. Forms are told
 * apart by their encoders.
 */
export class Notice<T> {
  readonly #value: T;
  readonly #written = new Map<Encoder<T>, Uint8Array>();

  constructor(value: T) {
    this.#value = value;
  }

  /**
   * UTF-8 JSON of the form.
   *
   * @param onWritten - called when nobody has asked for it before
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
