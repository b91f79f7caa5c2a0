import { writeScalar } from "./cells.ts";

/** Calls from running programs; a non-zero result ends the run with the cause HOST. */
export interface VmHost {
  systemCall(): number;
  hint(number: number): number;
  /**
   * Called after some milliseconds of work at most. When it throws, what the kernel did comes to an
   * end at once and the instance must be dropped.
   */
  pause(): void;
  /** Checks the instance of the signature builtin that a cell was written to. */
  validateSignature?(segment: number, offset: number): number;
  /** Scalar that the running frame's random points begin with, below 2^256; default 1. */
  pointScalar?(): bigint;
  /** Room for cells is used up: whether it was raised with `VmKernel.setBudget`. */
  moreMemory?(): boolean;
}

/** The functions that the kernel imports. @param memory - gives the memory once there is one */
export function hostImports(host: VmHost, memory: () => WebAssembly.Memory | undefined) {
  return {
    systemCall: () => host.systemCall(),
    hostHint: (number: number) => host.hint(number >>> 0),
    pause: () => host.pause(),
    pointScalar: (at: number) => {
      const buffer = memory()?.buffer;
      if (buffer === undefined) return;
      writeScalar(new DataView(buffer), at >>> 0, host.pointScalar?.() ?? 1n);
    },
    validateSignature: (segment: number, offset: number) =>
      host.validateSignature?.(segment >>> 0, offset >>> 0) ?? 0,
    moreMemory: () => (host.moreMemory?.() === true ? 1 : 0),
  };
}
