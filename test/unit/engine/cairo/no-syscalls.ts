import type { SyscallHost } from "#engine/cairo/index.ts";

/** A host that refuses every syscall. */
export const NO_SYSCALLS: SyscallHost = {
  syscall: () => ({ kind: "fatal", message: "no syscalls here" }),
};
