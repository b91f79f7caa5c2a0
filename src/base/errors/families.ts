import { AppError, type AppErrorOptions } from "./app-error.ts";

/** Unknown or invalid field of a configuration. `line` counts from 1; 0 when unknown. */
export interface ConfigIssue {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** Invalid configuration, preset or command line option; lists all findings together. */
export class ConfigError extends AppError {
  readonly issues: readonly ConfigIssue[];

  constructor(message: string, issues: readonly ConfigIssue[] = [], options: AppErrorOptions = {}) {
    super("CONFIG_INVALID", message, options);
    this.issues = issues;
  }
}

/** Untrusted data (JSON, binary, hex) that does not have the expected form at `path`. */
export class DecodeError extends AppError {
  readonly path: string;
  readonly expected: string;

  constructor(path: string, expected: string, options: AppErrorOptions = {}) {
    super("DECODE_FAILED", `${path === "" ? "value" : path}: expected ${expected}`, options);
    this.path = path;
    this.expected = expected;
  }
}

/** Unusable database: access refused, another chain, a newer schema, locked, or damaged. */
export class StorageError extends AppError {
  constructor(code: `STORAGE_${string}`, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}

/** WebAssembly kernel that trapped, aborted or received arguments outside its ranges. */
export class KernelError extends AppError {
  constructor(code: `KERNEL_${string}`, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}

/** Node service (thread, child process, port) that failed to start or died. */
export class NodeError extends AppError {
  constructor(code: `NODE_${string}`, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}

/** Failed or implausible L1 response: no endpoint responds, another chain, no contract. */
export class L1Error extends AppError {
  /** Whether a retry, or another endpoint, may succeed. */
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

/** Object store that did not respond, refused, or does not behave as required. Never contains a key. */
export class ObjectStoreError extends AppError {
  /** Whether a retry may succeed: the store did not respond or is failing. */
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

/** Origin of a forked chain that did not respond, refused, or responded wrongly. Contains no credentials. */
export class OriginError extends AppError {
  /** Whether a retry may succeed: the origin did not respond, or asked to wait. */
  readonly retryable: boolean;

  constructor(
    code: `ORIGIN_${string}`,
    message: string,
    retryable: boolean,
    options: AppErrorOptions = {},
  ) {
    super(code, message, options);
    this.retryable = retryable;
  }
}

/** Chain setup step that failed, or whose result is not as expected. */
export class BootstrapError extends AppError {
  constructor(code: `BOOTSTRAP_${string}`, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}

/** Bug in this program: an invariant does not hold. */
export class InvariantError extends AppError {
  constructor(message: string, options: AppErrorOptions = {}) {
    super("INVARIANT_BROKEN", message, options);
  }
}

/**
 * Asserts an invariant.
 *
 * @throws {InvariantError} when `condition` is false
 */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
