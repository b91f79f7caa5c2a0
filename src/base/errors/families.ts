import { AppError, type AppErrorOptions } from "./app-error.ts";

/** One field of a configuration that is unknown or wrong. `line` counts from 1; 0 when unknown. */
export interface ConfigIssue {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** The configuration, a preset or a command line option is wrong; lists every finding at once. */
export class ConfigError extends AppError {
  readonly issues: readonly ConfigIssue[];

  constructor(message: string, issues: readonly ConfigIssue[] = [], options: AppErrorOptions = {}) {
    super("CONFIG_INVALID", message, options);
    this.issues = issues;
  }
}

/** Foreign data (JSON, binary, hex) does not have the expected form at `path`. */
export class DecodeError extends AppError {
  readonly path: string;
  readonly expected: string;

  constructor(path: string, expected: string, options: AppErrorOptions = {}) {
    super("DECODE_FAILED", `${path === "" ? "value" : path}: expected ${expected}`, options);
    this.path = path;
    this.expected = expected;
  }
}

/** The database refused, is of another chain, of a newer schema, locked, or damaged. */
export class StorageError extends AppError {
  constructor(code: `STORAGE_${string}`, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}

/** A WebAssembly kernel trapped, aborted or was given arguments outside of its ranges. */
export class KernelError extends AppError {
  constructor(code: `KERNEL_${string}`, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}

/** A node service (thread, child process, port) could not start or died. */
export class NodeError extends AppError {
  constructor(code: `NODE_${string}`, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}

/** L1 did not tell what was asked, or told what cannot be: no endpoint answers, another chain, no contract. */
export class L1Error extends AppError {
  /** It may be told another time, or by another endpoint. */
  readonly retryable: boolean;

  constructor(
    code: `L1_${string}`,
    message: string,
    retryable: boolean,
    options: AppErrorOptions = {},
  ) {
    super(code, message, options);
    this.retryable = retryable;
  }
}

/** An object store did not answer, refused, or does not do what it has to. Names no key. */
export class ObjectStoreError extends AppError {
  /** The same may succeed another time: nothing was said, or the store is out of order. */
  readonly retryable: boolean;

  constructor(
    code: `OBJECT_STORE_${string}`,
    message: string,
    retryable: boolean,
    options: AppErrorOptions = {},
  ) {
    super(code, message, options);
    this.retryable = retryable;
  }
}

/** A step of setting up a chain could not be done, or is not what it should be afterwards. */
export class BootstrapError extends AppError {
  constructor(code: `BOOTSTRAP_${string}`, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}

/** A bug in this program: something that must always hold does not. */
export class InvariantError extends AppError {
  constructor(message: string, options: AppErrorOptions = {}) {
    super("INVARIANT_BROKEN", message, options);
  }
}

/**
 * Asserts what must always hold.
 *
 * @throws {InvariantError} when `condition` is false
 */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
