import { DecodeError, StorageError } from "#base/errors/index.ts";
import { describeError } from "#base/telemetry/index.ts";
import { isDamage } from "#io/storage/index.ts";

/** Failure of a step: the file is unusable, or something else may end by itself, such as a full disk. */
export interface IndexFailure {
  readonly kind: "unusable" | "passing";
  readonly reason: string;
}

/** Errors of files that another program version, or another chain, has written. */
const OTHERS: readonly string[] = [
  "STORAGE_OTHER_CHAIN",
  "STORAGE_OLDER_SCHEMA",
  "STORAGE_NEWER_SCHEMA",
];

/**
 * Classifies an error of a step of the indexer: whether the index file has to be replaced, or the step can be
 * repeated.
 */
export function indexFailureOf(error: unknown): IndexFailure {
  const isOther = error instanceof StorageError && OTHERS.includes(error.code);
  const isUnusable = isOther || isDamage(error) || contradicts(error);
  return { kind: isUnusable ? "unusable" : "passing", reason: describeError(error) };
}

/** Whether rows contradict each other: damage that the database itself does not notice. */
function contradicts(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof DecodeError) return true;
    const { code } = each as { readonly code?: unknown };
    if (typeof code === "string" && code.startsWith("SQLITE_CONSTRAINT")) return true;
  }
  return false;
}
