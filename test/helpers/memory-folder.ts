import { StorageError } from "#base/errors/index.ts";
import type { WritableFolder } from "#io/folders/index.ts";

/** Operation that was called on a {@link MemoryFolder}. */
export interface FolderStep {
  readonly method: "read" | "write" | "remove";
  readonly name: string;
}

/** Files in memory. Tests inspect and change them, and inject faults. */
export class MemoryFolder implements WritableFolder {
  readonly name = "a folder in memory";
  readonly files: Map<string, Uint8Array<ArrayBuffer>> = new Map();
  /** All operations, in order. */
  readonly steps: FolderStep[] = [];
  /** Called before an operation; an error makes it fail. */
  fault: (step: FolderStep) => void = () => undefined;

  async read(name: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.#step("read", name);
    const bytes = this.files.get(name);
    if (bytes !== undefined && bytes.length > maxBytes) {
      throw new StorageError("STORAGE_FILE_TOO_LONG", `${name} is too long`);
    }
    return bytes?.slice();
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    this.#step("write", name);
    this.files.set(name, new Uint8Array(bytes));
  }

  async remove(name: string): Promise<void> {
    this.#step("remove", name);
    this.files.delete(name);
  }

  /** Another folder with the same files. */
  copy(): MemoryFolder {
    const copy = new MemoryFolder();
    for (const [name, bytes] of this.files) copy.files.set(name, bytes.slice());
    return copy;
  }

  #step(method: FolderStep["method"], name: string): void {
    const step = { method, name } as const;
    this.steps.push(step);
    this.fault(step);
  }
}
