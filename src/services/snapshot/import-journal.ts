import { ByteReader, ByteWriter } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";

/** How far an import is, kept where the rows are. */
export interface ImportProgress {
  /** SHA-256 of the manifest, hexadecimal: of which snapshot the rows are. */
  readonly manifest: string;
  /** How many files of the manifest are stored, from the first on. */
  readonly files: number;
}

/** Keeps how far an import is. What was stored before is durable before. */
export interface ImportJournal {
  read(): ImportProgress | undefined;
  write(progress: ImportProgress): void;
}

/** Progress as bytes. */
export function encodeProgress({ manifest, files }: ImportProgress): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.text(manifest);
  writer.varint(files);
  return writer.finish();
}

/** @returns `undefined` for bytes that are none: an import begins anew then */
export function decodeProgress(bytes: Uint8Array): ImportProgress | undefined {
  try {
    const reader = new ByteReader(bytes, "progress");
    const progress = { manifest: reader.text(), files: reader.varint() };
    reader.end();
    return progress;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
