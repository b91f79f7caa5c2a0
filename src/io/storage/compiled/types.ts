import type { CasmHashFunction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Compiled code with what is known of it. */
export interface StoredCompiledClass {
  readonly casmJson: string;
  /** Felts of the bytecode. */
  readonly bytecodeLength: number;
  readonly hashes: Readonly<Record<CasmHashFunction, Felt>>;
}
