import type { Client } from "../../limits/fair-queue.ts";
import type { FrameFailure, FrameReader } from "./frame-reader.ts";
import type { ReadJob, ReadTurns } from "./read-turns.ts";
import { freeBytes, UnreadBytes } from "./unread-bytes.ts";

/** Frames between two looks at the clock. */
const FRAMES_PER_CHECK = 32;

/** Bytes of frames that take about a millisecond. */
const BYTES_PER_MS = 32_768;

/** What a {@link TurnReader} works with. */
export interface TurnReaderDeps {
  readonly reader: Pick<FrameReader, "read" | "readBytes" | "pause">;
  /** Turns of all connections. */
  readonly turns: ReadTurns;
  /** Who takes the turns. */
  readonly client: Client;
  /** Whether frames are of use now. */
  readonly canRead: () => boolean;
  /** So many bytes are read. */
  readonly read: (bytes: number) => void;
  /** The client breaks the protocol. */
  readonly failed: (failure: FrameFailure) => void;
  /** A turn is over. */
  readonly turnEnded: () => void;
}

/** Reads what a client has sent in turns, so that no client makes others wait. */
export class TurnReader implements ReadJob {
  readonly #deps: TurnReaderDeps;
  readonly #unread = new UnreadBytes();
  /** Waits for a turn, or is in one. */
  #hasTurn = false;
  #turnEndMs = 0;
  #frames = 0;

  constructor(deps: TurnReaderDeps) {
    this.#deps = deps;
  }

  get costMs(): number {
    return this.#unread.bytes / BYTES_PER_MS;
  }

  /** Whether no more should be taken from the socket for the present. */
  get isMuch(): boolean {
    return this.#unread.isMuch;
  }

  /** The next bytes; they are read in a turn. */
  receive(bytes: Uint8Array): void {
    this.#unread.push(bytes);
    this.wantTurn();
  }

  /** Asks for a turn if there are bytes that can be read. */
  wantTurn(): void {
    if (this.#hasTurn || this.#unread.isEmpty || !this.#deps.canRead()) return;
    this.#hasTurn = true;
    this.#deps.turns.take(this.#deps.client, this);
  }

  /** A frame is read: the rest is left for another turn once this one has lasted long enough. */
  countFrame(): void {
    if (++this.#frames % FRAMES_PER_CHECK === 0) this.endIfLate();
  }

  /** Leaves the rest for another turn if this one has lasted long enough. */
  endIfLate(): void {
    if (performance.now() >= this.#turnEndMs) this.#deps.reader.pause();
  }

  /** Nothing more is read. */
  end(): void {
    this.#unread.end();
    this.#deps.turns.drop(this.#deps.client, this);
  }

  run(endMs: number): void {
    this.#turnEndMs = endMs;
    do this.#readPiece();
    while (!this.#unread.isEmpty && this.#deps.canRead() && performance.now() < endMs);
    this.#hasTurn = false;
    this.#deps.turnEnded();
    this.wantTurn();
  }

  #readPiece(): void {
    const { reader, read, failed } = this.#deps;
    const bytes = this.#unread.shift();
    if (bytes === undefined) return;
    const failure = reader.read(bytes);
    read(reader.readBytes);
    if (reader.readBytes < bytes.byteLength) {
      this.#unread.putBack(bytes.subarray(reader.readBytes));
    } else freeBytes(bytes);
    if (failure !== undefined) failed(failure);
  }
}
