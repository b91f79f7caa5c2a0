/** Size limits of declared classes. */
export interface ClassSizeLimits {
  /** Felts of a Sierra program, or of a Cairo 0 program. */
  readonly maxProgramFelts: number;
  /**
   * Bytes of a class as JSON text. Sierra: the form of the JSON-RPC specification. Cairo 0: the form of its
   * compiler, with the program unpacked.
   */
  readonly maxObjectBytes: number;
  /** Entry points of a Cairo 0 class. */
  readonly maxEntryPoints: number;
}

/**
 * Starknet's limits. The limit of entry points is our own, tens of times that of any class on the networks:
 * each entry point costs as much hashing as two felts of the program.
 */
export const CLASS_SIZE_LIMITS: ClassSizeLimits = {
  maxProgramFelts: 81_920,
  maxObjectBytes: 4_089_446,
  maxEntryPoints: 10_000,
};

/** Limits of compilations and of queued work. */
export interface CompileServiceLimits {
  /** Wall-time limit of a compilation. Compilers also have a lower limit of processor time. */
  readonly deadlineMs: number;
  /** Maximum queued classes. */
  readonly maxCount: number;
  /** Maximum total size of queued classes. */
  readonly maxSizeBytes: number;
  /** Maximum estimated time until a queued class is compiled, after all before it; milliseconds. */
  readonly maxWaitMs: number;
  /** Maximum pending requests, including several for one class. */
  readonly maxRequests: number;
  /** Maximum total class size of pending requests; each request counts, even for a shared class. */
  readonly maxRequestBytes: number;
}

/**
 * Maximum bytecode length of a declared class in felts; Starknet's limit, equal to that of the Sierra
 * program.
 */
export const MAX_BYTECODE_FELTS = 81_920;

/**
 * Limits for half a minute of work: clients give up on longer waits, so a `busy` with a retry time serves
 * them better.
 */
export const COMPILE_LIMITS: Omit<CompileServiceLimits, "deadlineMs"> = {
  maxCount: 256,
  maxSizeBytes: 64 << 20,
  maxWaitMs: 30_000,
  maxRequests: 1024,
  maxRequestBytes: 128 << 20,
};
