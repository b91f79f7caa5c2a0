import { DecodeError, InvariantError, KernelError, StorageError } from "#base/errors/index.ts";
import type { Mismatch } from "#protocol/chain/index.ts";

/** The first mismatch found in a database. */
export interface Difference {
  /** `null` when it belongs to no block. */
  readonly blockNumber: number | null;
  readonly table: string;
  /** The column, or a value inside it. */
  readonly field: string;
  readonly message: string;
}

const CODE = "STORAGE_DIFFERENCE";

/**
 * Ends a check because of a mismatch.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE, which {@link differenceOf} reads
 */
export function differ(table: string, field: string, message: string): never {
  throw new StorageError(CODE, message, { meta: { table, field } });
}

/** Requires equal numbers; shows bigints as hex. @throws {StorageError} STORAGE_DIFFERENCE */
export function requireSame(
  table: string,
  field: string,
  expected: bigint | number,
  found: bigint | number | undefined,
): void {
  if (expected === found) return;
  const text =
    found === undefined
      ? `expected ${shown(expected)}, but it is missing`
      : `expected ${shown(expected)}, found ${shown(found)}`;
  differ(table, field, text);
}

/** Ends a check if there is a mismatch. @throws {StorageError} STORAGE_DIFFERENCE */
export function requireNone(table: string, field: string, mismatch: Mismatch | undefined): void {
  if (mismatch !== undefined) requireSame(table, field, mismatch.expected, mismatch.found);
}

/** Converts an error of a check to its difference; `undefined` for any other error. */
export function differenceOf(error: unknown, blockNumber: number | null): Difference | undefined {
  if (!(error instanceof StorageError) || error.code !== CODE) return undefined;
  const { table, field } = error.meta;
  return { blockNumber, table: String(table), field: String(field), message: error.message };
}

/**
 * Runs code that reads a row of a check's database.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE naming `table` and `field` when `work` throws; errors of this
 *   program itself (invariants, kernels) are rethrown unchanged
 */
export function reading<T>(table: string, field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asDifference(table, field, error);
  }
}

/** Variant of {@link reading} for work in steps. */
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
