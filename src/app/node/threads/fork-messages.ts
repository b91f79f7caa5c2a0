import type { OriginQuery, OriginReport } from "#io/origin/index.ts";

/** Outcome of `compile`; `refused` classes cannot be compiled, `busy` ones not now. */
export type ForkCompilation =
  | { readonly kind: "compiled"; readonly casmJson: string }
  | { readonly kind: "refused" | "busy"; readonly reason: string };

/** Messages of the main thread to the thread that reads a fork's origin. */
export type ToFork =
  /** Answers `addressesNeeded`. Its parts may be secrets, which the setup of threads must not contain. */
  | {
      readonly kind: "begin";
      readonly urls: readonly string[];
      readonly headers: readonly { readonly name: string; readonly value: string }[];
    }
  /** Answers `compile`: the compiled class, or the reason of the refusal. */
  | {
      readonly kind: "compiled";
      readonly id: number;
      readonly outcome: ForkCompilation;
    }
  /** Asks for a value, which `value` or `lost` answers. */
  | { readonly kind: "ask"; readonly id: number; readonly query: OriginQuery };

/** Messages of the thread that reads a fork's origin. */
export type FromFork =
  /** The thread has started, the first time or again, and waits for `begin`. */
  | { readonly kind: "addressesNeeded" }
  /** Asks the main thread, which owns the compiler, to compile a Sierra class of the origin. */
  | {
      readonly kind: "compile";
      readonly id: number;
      readonly classHash: bigint;
      /** Bytes of `encodeContractClass`. */
      readonly contractClass: Uint8Array;
    }
  /** Answers `ask`; `null` if the origin has no such value. */
  | { readonly kind: "value"; readonly id: number; readonly value: Uint8Array | null }
  /** Answers `ask` with the bytes of `encodeFailure`. */
  | { readonly kind: "lost"; readonly id: number; readonly failure: Uint8Array }
  /** State of the origin and counts since the last report. */
  | { readonly kind: "origin"; readonly report: OriginReport };
