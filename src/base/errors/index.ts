export { AppError } from "./app-error.ts";
export {
  ConfigError,
  type ConfigIssue,
  DecodeError,
  invariant,
  InvariantError,
  KernelError,
  L1Error,
  NodeError,
  StorageError,
} from "./families.ts";
