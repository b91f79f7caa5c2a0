import type { SyscallHost } from "#engine/cairo/index.ts";

/** Host that rejects every syscall. */
export const NO_SYSCALLS: SyscallHost = {
  syscall: () => ({ kind: "fatal", message: "no syscalls here" }),
};
