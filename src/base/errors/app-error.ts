/** Values that are safe to log with an error: no keys, no raw network bytes. */
export type ErrorMeta = Readonly<Record<string, string | number | bigint | boolean | null>>;

/** Options shared by all {@link AppError} constructors. */
export interface AppErrorOptions {
  /** Flat values for logs and machine consumers. */
  readonly meta?: ErrorMeta;
  readonly cause?: unknown;
}

/**
 * Base of every error that the product throws deliberately.
 *
 * `code` is stable and machine readable (`FAMILY_REASON`), `message` is for people and may change, `meta`
 * holds the details. Expected outcomes of transactions are values, never errors.
 */
export abstract class AppError extends Error {
  /** Stable identifier of the condition, for example `CONFIG_INVALID`. */
  readonly code: string;
  readonly meta: ErrorMeta;

  protected constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.meta = options.meta ?? {};
    this.name = new.target.name;
  }
}
