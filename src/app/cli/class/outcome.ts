/** Result of processing a class file. Hashes are hexadecimal, sizes in felts. */
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
  /** A Cairo 0 class, which has no Sierra and needs no compilation. */
  | { readonly kind: "legacy"; readonly classHash: string }
  /** Not a valid class. */
  | { readonly kind: "invalid"; readonly reason: string };

/** Request to the compiling thread. */
export interface ClassRequest {
  readonly text: string;
  /** Maximum felts of bytecode; `null` for no limit. */
  readonly maxBytecodeSize: number | null;
}

/** Messages of the compiling thread. */
export type ClassReply =
  /** Loaded, and ready for a {@link ClassRequest}. */
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly outcome: ClassOutcome }
  /** A bug, with its stack. */
  | { readonly kind: "crashed"; readonly text: string };
