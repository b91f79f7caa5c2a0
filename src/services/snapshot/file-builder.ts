import { ByteWriter } from "#base/codec/index.ts";
import { StorageError } from "#base/errors/index.ts";
import { encodeFile } from "./file-form.ts";
import { MAX_FILE_BYTES, type SnapshotKind } from "./kinds.ts";
import { ROW_FORMS, type RowForm, type RowOf } from "./rows.ts";

/** Completed file: full, or the last of its kind. */
export interface BuiltFile<Row> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly last: Row;
}

/** Collects rows of a kind until a file is full. */
export class FileBuilder<K extends SnapshotKind> {
  readonly #kind: K;
  readonly #form: RowForm<RowOf[K]>;
  readonly #fileBytes: number;
  #writer = new ByteWriter();
  #rows = 0;
  #last: RowOf[K] | undefined;

  /** @param fileBytes - size from which a file is full; the row that reaches it is its last */
  constructor(kind: K, fileBytes: number) {
    this.#kind = kind;
    this.#form = ROW_FORMS[kind];
    this.#fileBytes = fileBytes;
  }

  /**
   * Adds a row.
   *
   * @returns the file if it is full
   * @throws {StorageError} STORAGE_SNAPSHOT_TOO_LARGE when a row exceeds the maximum file size
   */
  add(row: RowOf[K]): BuiltFile<RowOf[K]> | undefined {
    this.#form.write(this.#writer, row, this.#last);
    this.#rows++;
    this.#last = row;
    return this.#writer.length < this.#fileBytes ? undefined : this.end();
  }

  /** Returns a file with the remaining rows; `undefined` if none. */
  end(): BuiltFile<RowOf[K]> | undefined {
    const last = this.#last;
    if (last === undefined) return undefined;
    const rows = this.#rows;
    const bytes = encodeFile(this.#kind, rows, this.#writer.finish());
    if (bytes.length > MAX_FILE_BYTES) {
      const message = `a file of ${this.#kind} would have ${bytes.length} bytes, more than ${MAX_FILE_BYTES}`;
      throw new StorageError("STORAGE_SNAPSHOT_TOO_LARGE", message);
    }
    this.#writer = new ByteWriter(Math.min(this.#writer.length, this.#fileBytes));
    this.#rows = 0;
    this.#last = undefined;
    return { bytes, rows, last };
  }
}
