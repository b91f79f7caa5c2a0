import { open } from "node:fs/promises";

/** Maximum size of a configuration or constants file; many times a large genesis section. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reason why a file could not be read, for messages: `cannot be read (ENOENT)`. */
export interface UnreadableFile {
  readonly reason: string;
}

/**
 * Reads a text file of at most 64 MiB. Also reads pipes, and stops at the limit on endless devices.
 *
 * @returns the text, or the reason for the failure
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
