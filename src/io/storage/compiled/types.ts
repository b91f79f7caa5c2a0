import type { CasmHashFunction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Compiled code with its metadata. */
export interface StoredCompiledClass {
  readonly casmJson: string;
  /** Number of felts in the bytecode. */
  readonly bytecodeLength: number;
  readonly hashes: Readonly<Record<CasmHashFunction, Felt>>;
}
