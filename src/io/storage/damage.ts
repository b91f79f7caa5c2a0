import { closeSync, openSync, readSync, statSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";

/** Offsets of page size and page count in the header of a database file. Source: SQLite file format, 1.3. */
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;
const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";

/** Whether an error, or one of its causes, reports a damaged database file. */
export function isDamage(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error instanceof StorageError && error.code === "STORAGE_DAMAGED") return true;
    const { code } = error as { readonly code?: unknown };
    if (typeof code !== "string") continue;
    if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT")) return true;
  }
  return false;
}

/** Creates the error for a damaged database file, see {@link isDamage}; it names the damage. */
export function damagedDatabase(path: string, cause: unknown): StorageError {
  const what = headerFinding(path) ?? (cause instanceof Error ? cause.message : "unknown reason");
  return new StorageError("STORAGE_DAMAGED", `The database ${path} is damaged: ${what}.`, {
    meta: { path },
    cause,
  });
}

/** Describes damage visible in the file header; `undefined` if none. */
function headerFinding(path: string): string | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  let sizeBytes: number;
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, header, 0, HEADER_BYTES, 0);
    } finally {
      closeSync(file);
    }
    sizeBytes = statSync(path).size;
  } catch {
    return undefined;
  }
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    return "it does not start with a database header";
  }
  const pageBytes = header.readUInt16BE(PAGE_SIZE_AT);
  // 65536 does not fit into two bytes and is stored as 1.
  const expected = header.readUInt32BE(PAGE_COUNT_AT) * (pageBytes === 1 ? 65_536 : pageBytes);
  if (sizeBytes >= expected) return undefined;
  return `it has ${sizeBytes} of ${expected} bytes, the rest is missing`;
}
