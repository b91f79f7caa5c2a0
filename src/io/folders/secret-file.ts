import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Maximum size of a file with a secret in bytes. */
const MAX_SECRET_FILE_BYTES = 4096;

/** Permission bits of the group and of others. */
const OTHERS = 0o077;

/** Non-blocking: opening a pipe would otherwise wait for a writer. */
const READING = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Content of a secret file, or the reason for rejecting it. No text names the path: a user may have passed
 * the secret itself instead.
 */
export type SecretFile =
  | { readonly kind: "read"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Reads a secret from a file and trims whitespace. Rejects the file if anyone but its owner has permissions
 * on it.
 */
export function readSecretFile(path: string): SecretFile {
  let file: number;
  try {
    file = openSync(path, READING);
  } catch (cause) {
    return refused(reasonOf(cause));
  }
  try {
    // Check and read use the same open file, even if its path is replaced meanwhile.
    const found = fstatSync(file);
    if (!found.isFile()) return refused("it is not a file");
    if ((found.mode & OTHERS) !== 0) {
      return refused("other users can access the file: run chmod 600 on it");
    }
    if (found.size > MAX_SECRET_FILE_BYTES) {
      return refused(`the file is longer than ${MAX_SECRET_FILE_BYTES} bytes`);
    }
    const text = readFileSync(file, "utf8").trim();
    return text === "" ? refused("the file is empty") : { kind: "read", text };
  } catch (cause) {
    return refused(reasonOf(cause));
  } finally {
    closeSync(file);
  }
}

function refused(reason: string): SecretFile {
  return { kind: "refused", reason };
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return "there is no such file";
    case "EACCES":
      return "permission to read the file is denied";
    default:
      return "the file cannot be read";
  }
}
