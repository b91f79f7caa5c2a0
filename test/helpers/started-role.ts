import {
  ActiveRole,
  type ActiveRoleDeps,
  type FirstRole,
} from "#app/node/replication/active-role.ts";
import type { Role } from "#app/node/threads/roles/role.ts";
import type { RoleServices } from "#app/node/threads/roles/role-services.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";

/** Dependencies of a role, and of starting it. */
export type StartedRoleDeps<Services extends RoleServices> = ActiveRoleDeps &
  Pick<FirstRole<Services>, "open" | "stall"> &
  Partial<Pick<FirstRole<Services>, "forkAlarm">>;

/** An {@link ActiveRole} with its first role started. */
export function startedRole<Services extends RoleServices>(
  role: Role,
  setup: NodeSetup,
  { threads, queryPool, open, stall, forkAlarm = () => undefined }: StartedRoleDeps<Services>,
): ActiveRole<Services> {
  const active = new ActiveRole<Services>({ threads, queryPool });
  active.take({ role, setup, open, stall, forkAlarm });
  return active;
}
