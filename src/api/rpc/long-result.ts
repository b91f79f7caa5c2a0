import type { JsonPieces } from "#base/codec/index.ts";
import { responseTooLarge } from "./json-rpc.ts";
import { errorText } from "./outcome.ts";

const utf8 = new TextEncoder();

/** Result that is produced while it is consumed: as a whole it may not fit into memory. */
export class LongResult {
  readonly #pieces: Iterator<string>;
  readonly #failed: (thrown: unknown) => Uint8Array;
  #isOver = false;

  /** @param failed - creates the response when producing the result fails */
  constructor(result: JsonPieces, failed: (thrown: unknown) => Uint8Array) {
    this.#pieces = outcomePieces(result);
    this.#failed = failed;
  }

  /** Whether the result was consumed to its end. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Returns the next bytes of `{"result": ...}`.
   *
   * @param mostBytes - stops with the chunk that reaches this size; chunks have about 64 KiB
   * @param isStopped - checked between chunks; if `true`, the bytes so far are returned
   * @throws errors of producing the result
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

  /** Creates the response if {@link take} has thrown before any bytes were sent. */
  failure(thrown: unknown): Uint8Array {
    return this.#failed(thrown);
  }

  /** Discards the rest. */
  close(): void {
    this.#isOver = true;
    this.#pieces.return?.();
  }
}

/** Creates the response of a method whose result is longer than `maxBytes` and cannot be streamed. */
export function tooLongToBuffer(maxBytes: number): Uint8Array {
  const way = "; over HTTP, a request that is in no batch gets it piece by piece";
  return utf8.encode(errorText(responseTooLarge(maxBytes, way)));
}

function* outcomePieces(result: JsonPieces): Generator<string> {
  yield '{"result":';
  yield* result.pieces();
  yield "}";
}
