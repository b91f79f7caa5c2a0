import type { Client } from "../../limits/fair-queue.ts";
import type { FrameFailure, FrameReader } from "./frame-reader.ts";
import type { ReadAhead, Reader } from "./read-ahead.ts";
import type { ReadJob, ReadTurns } from "./read-turns.ts";
import { freeBytes, UnreadBytes } from "./unread-bytes.ts";

const FRAMES_PER_CHECK = 32;

/** Bytes of frames that take about a millisecond. */
const BYTES_PER_MS = 32_768;

/** Dependencies of a {@link TurnReader}. */
export interface TurnReaderDeps {
  readonly reader: Pick<FrameReader, "read" | "readBytes" | "pause">;
  readonly turns: ReadTurns;
  readonly ahead: ReadAhead;
  readonly client: Client;
  /** Whether frames can be processed now. */
  readonly canRead: () => boolean;
  /** Called with the number of bytes read. */
  readonly read: (bytes: number) => void;
  /** The client violates the protocol. */
  readonly failed: (failure: FrameFailure) => void;
  readonly turnEnded: () => void;
  /** {@link TurnReader.isMuch} has changed outside of a turn. */
  readonly granted: () => void;
}

/** Reads a client's bytes in turns, so that no client delays others. */
export class TurnReader implements ReadJob, Reader {
  readonly #deps: TurnReaderDeps;
  readonly #unread: UnreadBytes;
  /** Waits for a turn, or is in one. */
  #hasTurn = false;
  #turnEndMs = 0;
  #frames = 0;
  /** There were many unread bytes, and the connection has not been allowed to receive more. */
  #isHeldBack = false;
  #awaitsGrant = false;

  constructor(deps: TurnReaderDeps) {
    this.#deps = deps;
    this.#unread = new UnreadBytes(deps.ahead);
  }

  get costMs(): number {
    return this.#unread.bytes / BYTES_PER_MS;
  }

  /** Whether reading from the socket should pause. */
  get isMuch(): boolean {
    return this.#isHeldBack || this.#unread.isMuch;
  }

  /** Adds received bytes; they are read in a turn. */
  receive(bytes: Uint8Array): void {
    this.#unread.push(bytes);
    this.wantTurn();
  }

  /** Requests a turn if there are bytes that can be read. */
  wantTurn(): void {
    if (this.#hasTurn || this.#unread.isEmpty || !this.#deps.canRead()) return;
    this.#hasTurn = true;
    this.#deps.turns.take(this.#deps.client, this);
  }

  /** Counts a frame, and defers the rest to another turn if this one has lasted long enough. */
  countFrame(): void {
    if (++this.#frames % FRAMES_PER_CHECK === 0) this.endIfLate();
  }

  /** Defers the rest to another turn if this one has lasted long enough. */
  endIfLate(): void {
    if (performance.now() >= this.#turnEndMs) this.#deps.reader.pause();
  }

  end(): void {
    const { ahead, turns, client } = this.#deps;
    this.#isHeldBack = this.#awaitsGrant = false;
    this.#unread.end();
    turns.drop(client, this);
    ahead.drop(client, this);
  }

  granted(): void {
    this.#isHeldBack = this.#awaitsGrant = false;
    this.#deps.granted();
  }

  run(endMs: number): void {
    this.#turnEndMs = endMs;
    this.#isHeldBack ||= this.#unread.isMuch;
    do this.#readPiece();
    while (!this.#unread.isEmpty && this.#deps.canRead() && performance.now() < endMs);
    this.#hasTurn = false;
    this.#receiveMore();
    this.#deps.turnEnded();
    this.wantTurn();
  }

  /** Lets the connection receive more once it has read everything, or lets it wait for that. */
  #receiveMore(): void {
    const { ahead, client } = this.#deps;
    if (!this.#isHeldBack || this.#awaitsGrant || !this.#unread.isEmpty) return;
    if (ahead.isOpen) {
      this.#isHeldBack = false;
      return;
    }
    this.#awaitsGrant = true;
    ahead.wait(client, this);
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
