import type { JsonPieces } from "#base/codec/index.ts";
import { responseTooLarge } from "./json-rpc.ts";
import { errorText } from "./outcome.ts";

const utf8 = new TextEncoder();

/** A result that is made while it is taken: as a whole it may not fit into memory. */
export class LongResult {
  readonly #pieces: Iterator<string>;
  readonly #failed: (thrown: unknown) => Uint8Array;
  #isOver = false;

  /** @param failed - the outcome of the method where making the result ends with an error */
  constructor(result: JsonPieces, failed: (thrown: unknown) => Uint8Array) {
    this.#pieces = outcomePieces(result);
    this.#failed = failed;
  }

  /** Whether all of it was taken. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Takes the next bytes of `{"result": ...}`.
   *
   * @param mostBytes - it ends with the piece that reaches them, of about 64 KiB
   * @param isStopped - looked at between pieces; what is there then is given
   * @throws what making the result throws
   */
  take(mostBytes: number, isStopped: () => boolean): Uint8Array {
    const parts: Uint8Array[] = [];
    let length = 0;
    while (!this.#isOver && length < mostBytes && (length === 0 || !isStopped())) {
      const { value, done } = this.#pieces.next();
      if (done === true) {
        this.#isOver = true;
        break;
      }
      const bytes = utf8.encode(value);
      parts.push(bytes);
      length += bytes.byteLength;
    }
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
  }

  /** The outcome of the method, where {@link take} has thrown and nothing was given yet. */
  failure(thrown: unknown): Uint8Array {
    return this.#failed(thrown);
  }

  /** Lets go what is not taken. */
  close(): void {
    this.#isOver = true;
    this.#pieces.return?.();
  }
}

/** The outcome of a method whose result is longer than `maxBytes` and cannot be given piece by piece. */
export function tooLongToHold(maxBytes: number): Uint8Array {
  const way = "; over HTTP, a request that is in no batch gets it piece by piece";
  return utf8.encode(errorText(responseTooLarge(maxBytes, way)));
}

function* outcomePieces(result: JsonPieces): Generator<string> {
  yield '{"result":';
  yield* result.pieces();
  yield "}";
}
