import { open } from "node:fs/promises";

/** Longest configuration and constants file: many times what a large genesis section takes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Why a file could not be read, for messages: `cannot be read (ENOENT)`. */
export interface UnreadableFile {
  readonly reason: string;
}

/**
 * Reads a text file of at most 64 MiB; also a pipe, and never more than that of an endless device.
 *
 * @returns the text, or why there is none
 */
export async function readBoundedText(path: string): Promise<string | UnreadableFile> {
  try {
    await using file = await open(path, "r");
    const parts: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const buffer = new Uint8Array(256 * 1024);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
      if (length > MAX_FILE_BYTES) return { reason: "is longer than 64 MiB" };
      parts.push(buffer.subarray(0, bytesRead));
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    if (error instanceof TypeError) return { reason: "is not UTF-8 text" };
    const code = (error as { readonly code?: unknown } | null)?.code;
    return { reason: `cannot be read (${typeof code === "string" ? code : "unknown reason"})` };
  }
}
