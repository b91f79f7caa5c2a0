export { AppError } from "./app-error.ts";
export {
  ConfigError,
  type ConfigIssue,
  DecodeError,
  invariant,
  InvariantError,
  KernelError,
  NodeError,
  StorageError,
} from "./families.ts";
