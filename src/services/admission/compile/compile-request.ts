import type { Felt } from "#base/primitives/index.ts";
import type { Grade } from "../submission/sender-grades.ts";
import type { CompiledClass } from "./compiler-port.ts";
import type { Refusal } from "./refusals.ts";

/** What became of a request to compile a class. */
export type CompileOutcome =
  | ({ readonly kind: "compiled" } & CompiledClass)
  | Refusal
  | {
      readonly kind: "busy";
      /** Why the class was not compiled, for the client; one clause without a full stop. */
      readonly reason: string;
      readonly retryAfterSeconds: number;
    };

/** A class to compile in the name of a sender. */
export interface CompileRequest {
  readonly sender: Felt;
  /** The class hash of the class: results are shared and kept by it. */
  readonly classHash: Felt;
  /** The Sierra class of `encodeContractClass`, within the limits of size. */
  readonly classBytes: Uint8Array;
  /**
   * Nobody has shown that the sender wants it, as for an estimate: without this, signature, nonce and
   * balance of a declaration are in order.
   */
  readonly isTrial?: boolean;
  /** How earlier compilations for the sender ended: by default there were none. */
  readonly grade?: Grade;
  /** Aborted when whoever asks does not wait any more; the answer is `busy` then. */
  readonly signal?: AbortSignal;
}
