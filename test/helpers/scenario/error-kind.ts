import type { CallError } from "#engine/execution/call/errors.ts";

/**
 * Name of an error, in the form of the reference engine's debug output: for a call outside of a
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
