/** What came of a class file. Hashes are hexadecimal, sizes in felts. */
export type ClassOutcome =
  | {
      readonly kind: "compiled";
      readonly classHash: string;
      readonly poseidonHash: string;
      readonly blakeHash: string;
      /** The compiled class in the JSON form of the Sierra compiler. */
      readonly casm: string;
      readonly sierraSize: number;
      readonly bytecodeSize: number;
    }
  /** A Sierra class that does not compile. */
  | { readonly kind: "refused"; readonly classHash: string; readonly reason: string }
  /** A Cairo 0 class: it has no Sierra, and runs as it is. */
  | { readonly kind: "legacy"; readonly classHash: string }
  /** No class at all. */
  | { readonly kind: "invalid"; readonly reason: string };

/** A class file for the thread that compiles. */
export interface ClassRequest {
  readonly text: string;
  /** Felts of bytecode; `null` for no limit. */
  readonly maxBytecodeSize: number | null;
}

/** What the thread that compiles says. */
export type ClassReply =
  /** It has loaded and takes a {@link ClassRequest}. */
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly outcome: ClassOutcome }
  /** A bug; with its stack. */
  | { readonly kind: "crashed"; readonly text: string };
