export { AppError, type AppErrorOptions, type ErrorMeta } from "./app-error.ts";
export {
  ConfigError,
  type ConfigIssue,
  DecodeError,
  InvariantError,
  invariant,
  KernelError,
  L1Error,
  NodeError,
  StorageError,
} from "./families.ts";
