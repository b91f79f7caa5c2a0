export { AppError } from "./app-error.ts";
export {
  BootstrapError,
  ConfigError,
  type ConfigIssue,
  DecodeError,
  invariant,
  InvariantError,
  KernelError,
  L1Error,
  NodeError,
  ObjectStoreError,
  OriginError,
  StorageError,
} from "./families.ts";
