import { L1_NOT_FOLLOWED } from "#app/node/threads/roles/followed-l1.ts";
import type { RoleServices } from "#app/node/threads/roles/role-services.ts";

/** Services of a role that do nothing, except for the parts ones. */
export function standInServices(parts: Partial<RoleServices> = {}): RoleServices {
  const nothing = (): void => undefined;
  const refuse = () =>
    Promise.resolve({ kind: "rejected", code: "UNEXPECTED_ERROR", reason: "a stand-in" } as const);
  return {
    l1: L1_NOT_FOLLOWED,
    growth: { deltas: { listen: nothing }, accepted: { listen: nothing } },
    submit: { submit: refuse, declare: refuse },
    mempool: {
      find: () => Promise.resolve(undefined),
      rejectionOf: () => Promise.resolve(undefined),
    },
    accepted: nothing,
    syncStatus: () => false,
    following: () => null,
    alarm: () => undefined,
    hold: nothing,
    interrupt: nothing,
    release: nothing,
    close: nothing,
    stop: nothing,
    ...parts,
  };
}
