import { rmSync, statSync } from "node:fs";
import { type ExplorerStore, openExplorerStore } from "#io/storage/index.ts";
import { DATABASE_SUFFIXES } from "../storage/folder/own-files.ts";

/** File of the explorer's index, as the thread that fills it handles the file. */
export class IndexFile {
  readonly #path: string;
  readonly #chainId: string;
  /** Inode of the file that was opened last. */
  #inode: number | undefined;

  constructor(path: string, chainId: string) {
    this.#path = path;
    this.#chainId = chainId;
  }

  /** Opens or creates the file. @throws {StorageError} as `openExplorerStore` */
  async open(): Promise<ExplorerStore> {
    const store = await openExplorerStore(this.#path, this.#chainId);
    this.#inode = this.#found();
    return store;
  }

  /** Whether the file that was opened last is still at its path. */
  isInPlace(): boolean {
    return this.#inode !== undefined && this.#found() === this.#inode;
  }

  /** Deletes the file and the files that SQLite keeps next to it. @throws file system errors */
  remove(): void {
    for (const suffix of DATABASE_SUFFIXES) rmSync(this.#path + suffix, { force: true });
  }

  #found(): number | undefined {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino;
  }
}
