import {
  ActiveRole,
  type ActiveRoleDeps,
  type FirstRole,
} from "#app/node/replication/active-role.ts";
import type { Role } from "#app/node/threads/roles/role.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";

/** Dependencies of a role, and of starting it. */
export type StartedRoleDeps = ActiveRoleDeps &
  Pick<FirstRole, "open" | "stall"> &
  Partial<Pick<FirstRole, "forkAlarm">>;

/** An {@link ActiveRole} with its first role started. */
export function startedRole(
  role: Role,
  setup: NodeSetup,
  { threads, queryPool, open, stall, forkAlarm = () => undefined }: StartedRoleDeps,
): ActiveRole {
  const active = new ActiveRole({ threads, queryPool });
  active.take({ role, setup, open, stall, forkAlarm });
  return active;
}
