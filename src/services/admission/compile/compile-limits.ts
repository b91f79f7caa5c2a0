/** Limits of classes that are declared. */
export interface ClassSizeLimits {
  /** Felts of a Sierra program, or of a Cairo 0 program. */
  readonly maxProgramFelts: number;
  /**
   * Bytes of a class as JSON text: of a Sierra class in the form of the JSON-RPC specification, of a
   * Cairo 0 class in that of its compiler, with the program unpacked.
   */
  readonly maxObjectBytes: number;
  /** Entry points of a Cairo 0 class. */
  readonly maxEntryPoints: number;
}

/**
 * Starknet's limits; that of entry points is our own, tens of times that of any class of the networks:
 * each costs a Cairo 0 class's hash as much as two felts of its program.
 */
export const CLASS_SIZE_LIMITS: ClassSizeLimits = {
  maxProgramFelts: 81_920,
  maxObjectBytes: 4_089_446,
  maxEntryPoints: 10_000,
};

/** Limits of compilations, and of the work that waits. */
export interface CompileServiceLimits {
  /** Wall-time limit of a compilation. Compilers have a lower limit of their own, of processor time. */
  readonly deadlineMs: number;
  /** Classes that wait for a compiler. */
  readonly maxCount: number;
  /** Bytes of the classes that wait. */
  readonly maxSizeBytes: number;
  /** Estimated time until a class that waits has its turn when all before it are compiled, in milliseconds. */
  readonly maxWaitMs: number;
  /** Requests that wait for a result, several of them for one class included. */
  readonly maxRequests: number;
  /** Bytes of the classes of all requests that wait, each counted however many are for one class. */
  readonly maxRequestBytes: number;
}

/** Most felts of bytecode of a class that is declared; Starknet's limit, as of the Sierra program. */
export const MAX_BYTECODE_FELTS = 81_920;

/** A queue of half a minute's work: clients that wait longer give up, and are better told when to come again. */
export const COMPILE_LIMITS: Omit<CompileServiceLimits, "deadlineMs"> = {
  maxCount: 256,
  maxSizeBytes: 64 << 20,
  maxWaitMs: 30_000,
  maxRequests: 1024,
  maxRequestBytes: 128 << 20,
};
