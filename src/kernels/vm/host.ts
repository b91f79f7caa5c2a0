import { writeScalar } from "./cells.ts";

/** Host functions called by running programs; a non-zero result ends the run with the cause HOST. */
export interface VmHost {
  systemCall(): number;
  hint(number: number): number;
  /**
   * Called after at most some milliseconds of work. If it throws, the kernel's work is aborted immediately
   * and the instance must be dropped.
   */
  pause(): void;
  /** Checks the signature builtin's instance that contains a written cell. */
  validateSignature?(segment: number, offset: number): number;
  /** Scalar of the running frame's first random point, below 2^256; default 1. */
  pointScalar?(): bigint;
  /** Called when the budget for cells is used up. @returns whether `VmKernel.setBudget` raised it */
  moreMemory?(): boolean;
}

/** Creates the kernel's imported functions. @param memory - returns the memory once it exists */
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
