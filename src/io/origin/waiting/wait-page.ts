/**
 * Shared memory through which one thread waits for answers of another one. The waiting thread owns the
 * request's state while it is {@link IDLE} or a piece has arrived; the answering thread while it writes.
 *
 * Layout: word 0 holds the state, word 1 the request's id, word 2 the length of the piece in bytes; the piece
 * follows.
 */
const HEAD_BYTES = 16;
const STATE = 0;
const ID = 1;
const LENGTH = 2;

/** The waiting thread waits for a piece of request `ID`. */
const WAITING = 1;
/** The answering thread is writing a piece. */
const WRITING = 2;

/** States in which a piece has arrived: more follow, it is the last one, no value, or the text of an error. */
const ARRIVED = { more: 3, last: 4, absent: 5, failed: 6 } as const;

/**
 * What a piece of an answer is: `more` if others follow, `last`, `absent` for no value, or `failed`
 * for an error.
 */
export type PieceKind = keyof typeof ARRIVED;

/** Nobody waits: pieces are dropped. */
const IDLE = 0;

/** Wait for a piece that is being written, in milliseconds: a copy in memory. */
const WRITE_SLICE_MS = 1;

const KINDS = new Map<number, PieceKind>(
  Object.entries(ARRIVED).map(([kind, state]) => [state, kind as PieceKind]),
);

/** One part of a long answer, copied from the {@link WaitPage} that both threads share. */
export interface Piece {
  readonly kind: PieceKind;
  /** Copy of the piece's bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Creates the memory of a {@link WaitPage}. @param pieceBytes - maximum size of one piece */
export function createWaitPage(pieceBytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_BYTES + pieceBytes);
}

/** One end of the shared memory between a waiting and an answering thread. */
export class WaitPage {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(page: SharedArrayBuffer) {
    this.#words = new Int32Array(page, 0, HEAD_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#bytes = new Uint8Array(page, HEAD_BYTES);
  }

  /** Maximum size of a piece in bytes. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Waiting end: prepares the wait for a piece of a request. */
  expect(id: number): void {
    Atomics.store(this.#words, ID, id);
    Atomics.store(this.#words, STATE, WAITING);
  }

  /** Waiting end: waits for a piece. @returns `undefined` if none arrived within `timeoutMs` */
  take(timeoutMs: number): Piece | undefined {
    Atomics.wait(this.#words, STATE, WAITING, timeoutMs);
    this.#finishWriting();
    const kind = KINDS.get(Atomics.load(this.#words, STATE));
    if (kind === undefined) return undefined;
    const bytes = this.#bytes.slice(0, Atomics.load(this.#words, LENGTH));
    Atomics.store(this.#words, STATE, IDLE);
    return { kind, bytes: new Uint8Array(bytes) };
  }

  /** Waiting end: stops waiting. A piece that arrives later is dropped. */
  giveUp(): void {
    this.#finishWriting();
    Atomics.store(this.#words, STATE, IDLE);
  }

  /**
   * Answering end: delivers a piece of request `id`, of at most {@link capacity} bytes.
   *
   * @returns whether the other end still waited for it
   */
  deliver(id: number, kind: PieceKind, bytes: Uint8Array): boolean {
    const words = this.#words;
    if (Atomics.compareExchange(words, STATE, WAITING, WRITING) !== WAITING) return false;
    const isCurrent = Atomics.load(words, ID) === id;
    if (isCurrent) {
      this.#bytes.set(bytes);
      Atomics.store(words, LENGTH, bytes.length);
    }
    Atomics.store(words, STATE, isCurrent ? ARRIVED[kind] : WAITING);
    Atomics.notify(words, STATE);
    return isCurrent;
  }

  /** The other end holds the state only while it copies a piece. */
  #finishWriting(): void {
    while (Atomics.load(this.#words, STATE) === WRITING) {
      Atomics.wait(this.#words, STATE, WRITING, WRITE_SLICE_MS);
    }
  }
}
