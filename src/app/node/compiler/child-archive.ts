import { describeError } from "#base/telemetry/index.ts";
import {
  type CompiledClassStore,
  openCompiledClasses,
  type StoredCompiledClass,
} from "#io/storage/index.ts";
import { COMPILER_REVISION, COMPILER_VERSION } from "#engine/sierra/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ArchivePlace } from "./compiler-messages.ts";

/**
 * Version and revision of the compiler, under which compiled classes are archived: results of
 * another compiler are ignored.
 */
export const COMPILER: string = `${COMPILER_VERSION}-${COMPILER_REVISION}`;

/**
 * Compiled classes that the compiler process keeps across restarts. A failing database only costs time:
 * classes are then compiled again.
 */
export class ChildArchive {
  readonly #writeLine: (line: string) => void;
  #path: string | undefined;
  #store: CompiledClassStore | undefined;

  /** @param writeLine - writes a log line about each failure */
  constructor(writeLine: (line: string) => void) {
    this.#writeLine = writeLine;
  }

  /** Opens the database at `place` unless it is open; `null` closes it. Later calls retry a failed open. */
  async open(place: ArchivePlace | null): Promise<void> {
    if (place !== null && this.#path === place.path) return;
    this.close();
    if (place === null) return;
    try {
      this.#store = await openCompiledClasses({ ...place, compiler: COMPILER });
      this.#path = place.path;
    } catch (error) {
      this.#failed(error);
    }
  }

  get(classHash: Felt): StoredCompiledClass | undefined {
    try {
      return this.#store?.get(classHash);
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  put(classHash: Felt, compiled: StoredCompiledClass): void {
    try {
      this.#store?.put(classHash, compiled);
    } catch (error) {
      this.#failed(error);
    }
  }

  close(): void {
    this.#store?.close();
    this.#store = undefined;
    this.#path = undefined;
  }

  #failed(error: unknown): void {
    this.#writeLine(`compiled classes are not stored: ${describeError(error)}`);
  }
}
