export { CompileError, type CompileErrorCode } from "./compile-error.ts";
export {
  compileClass,
  type CompileLimits,
  COMPILER_REVISION,
  COMPILER_VERSION,
} from "./contract/compile-class.ts";
export { decodeProgram } from "./contract/decode.ts";
export { type SierraVersion, SUPPORTED_SIERRA } from "./contract/sierra-version.ts";
