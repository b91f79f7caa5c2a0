import type { CallError, SyscallError } from "./errors.ts";

const IN_HINT = "Got an exception while executing a hint: ";

/** Formats an error as the reference engine prints it without a call stack: for a failed fee transfer. */
export function displayText(error: CallError): string {
  switch (error.kind) {
    case "panic":
      return error.panic.text;
    case "message":
      return error.message;
    case "vm": {
      const { pc, cause, notes, traceback } = error;
      const inner = cause.kind === "syscall" ? syscallText(cause.error) : cause.message;
      if (pc === null) return inner.replace(/\n$/, "");
      const prefix = error.duringHint === true ? IN_HINT : "";
      let text = `${notes?.pc ?? ""}Error at pc=${pc}:\n${prefix}${inner}\n`;
      if (traceback.length > 0) text += "Cairo traceback (most recent call last):\n";
      for (const [index, caller] of traceback.entries()) {
        text += `${notes?.traceback[index] ?? ""}Unknown location (pc=${caller})\n`;
      }
      return text;
    }
  }
}

function syscallText(error: SyscallError): string {
  switch (error.kind) {
    case "call":
      return syscallText(error.error);
    case "constructor":
      return displayText(error.error.error);
    case "entry_point":
      return displayText(error.error);
    case "message":
      return error.message;
  }
}
