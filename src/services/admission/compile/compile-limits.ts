/** Limits of classes that are declared, and of the work that waits. */
export interface CompileServiceLimits {
  /** Felts of a Sierra program. */
  readonly maxProgramFelts: number;
  /** Bytes of a class as JSON text in the form of the JSON-RPC specification. */
  readonly maxObjectBytes: number;
  /** Wall time of one compilation, in milliseconds. */
  readonly deadlineMs: number;
  /** Classes that wait for a compiler. */
  readonly maxCount: number;
  /** Bytes of the classes that wait. */
  readonly maxSizeBytes: number;
  /** Requests that wait for a result, several of them for one class included. */
  readonly maxRequests: number;
}

/** Most felts of bytecode of a class that is declared; Starknet's limit, as of the Sierra program. */
export const MAX_BYTECODE_FELTS = 81_920;

/** The limits of Starknet, and a queue of some minutes' work. */
export const COMPILE_LIMITS: CompileServiceLimits = {
  maxProgramFelts: 81_920,
  maxObjectBytes: 4_089_446,
  deadlineMs: 60_000,
  maxCount: 256,
  maxSizeBytes: 64 << 20,
  maxRequests: 4096,
};
