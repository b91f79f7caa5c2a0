import { DecodeError, InvariantError, KernelError, StorageError } from "#base/errors/index.ts";
import type { Mismatch } from "#protocol/chain/index.ts";

/** The first thing in a database that is not what it must be. */
export interface Difference {
  /** `null` where it belongs to no block. */
  readonly blockNumber: number | null;
  readonly table: string;
  /** The column, or what a column holds. */
  readonly field: string;
  /** What was expected, and what was found. */
  readonly message: string;
}

const CODE = "STORAGE_DIFFERENCE";

/**
 * Ends a check: what is stored is not what it must be.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE, which {@link differenceOf} reads
 */
export function differ(table: string, field: string, message: string): never {
  throw new StorageError(CODE, message, { meta: { table, field } });
}

/** Compares numbers; they are shown in hexadecimal. @throws {StorageError} STORAGE_DIFFERENCE */
export function requireSame(
  table: string,
  field: string,
  expected: bigint | number,
  found: bigint | number | undefined,
): void {
  if (expected === found) return;
  const text =
    found === undefined
      ? `expected ${shown(expected)}, but there is none`
      : `expected ${shown(expected)}, found ${shown(found)}`;
  differ(table, field, text);
}

/** Ends a check at a mismatch, if there is one. @throws {StorageError} STORAGE_DIFFERENCE */
export function requireNone(table: string, field: string, mismatch: Mismatch | undefined): void {
  if (mismatch !== undefined) requireSame(table, field, mismatch.expected, mismatch.found);
}

/** The difference that an error of a check tells of; `undefined` when it is another error. */
export function differenceOf(error: unknown, blockNumber: number | null): Difference | undefined {
  if (!(error instanceof StorageError) || error.code !== CODE) return undefined;
  const { table, field } = error.meta;
  return { blockNumber, table: String(table), field: String(field), message: error.message };
}

/** Does what reads a row: where that fails, the row is damaged. */
export function reading<T>(table: string, field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asDifference(table, field, error);
  }
}

/** {@link reading} for what may be left in between. */
export function* readingSteps<T>(
  table: string,
  field: string,
  steps: Generator<void, T>,
): Generator<void, T> {
  try {
    return yield* steps;
  } catch (error) {
    throw asDifference(table, field, error);
  }
}

function asDifference(table: string, field: string, error: unknown): unknown {
  if (error instanceof StorageError && error.code === CODE) return error;
  const isOurs = error instanceof InvariantError || error instanceof KernelError;
  if (!(error instanceof Error) || isOurs) return error;
  const what = error instanceof DecodeError ? `it cannot be read: ${error.message}` : error.message;
  return new StorageError(CODE, what, { meta: { table, field }, cause: error });
}

function shown(value: bigint | number): string {
  return typeof value === "number" ? String(value) : `0x${value.toString(16)}`;
}
