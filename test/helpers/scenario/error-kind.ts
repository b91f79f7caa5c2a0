import type { CallError } from "#engine/execution/call/errors.ts";

/**
 * Name of an error as the reference engine's debug output starts: for a call outside of a
 * transaction.
 */
export function errorKind(error: CallError): string {
  switch (error.kind) {
    case "panic":
      return "ExecutionFailed";
    case "vm":
      return error.pc === null
        ? (error.name ?? "CairoRunError.VirtualMachine")
        : "CairoRunError.VmException.VmException";
    case "message":
      return error.name;
  }
}
