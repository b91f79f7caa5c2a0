import type { Forwarded } from "./follower.ts";

/** Refuses what is submitted. */
export function forwardTo(): Forwarded {
  const refuse = () =>
    Promise.resolve({
      kind: "rejected",
      code: "UNEXPECTED_ERROR",
      reason: "handing transactions on is not built yet",
    } as const);
  return {
    submit: { submit: refuse, declare: refuse },
    mempool: {
      find: () => Promise.resolve(undefined),
      rejectionOf: () => Promise.resolve(undefined),
    },
    stop: () => undefined,
  };
}
