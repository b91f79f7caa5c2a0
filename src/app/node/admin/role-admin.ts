import type { AdminAccessDeps } from "./admin-access.ts";

/** What depends on the role that the node has. */
export type RoleAdmin = Pick<AdminAccessDeps, "admission" | "orders" | "revert">;

/** What is done by the role that the node has when it is asked. */
export function ofRoleNow(now: () => RoleAdmin): RoleAdmin {
  return {
    admission: {
      list: (...page) => now().admission.list(...page),
      drop: (hash) => now().admission.drop(hash),
      flush: (selection) => now().admission.flush(selection),
    },
    orders: {
      close: () => now().orders.close(),
      addMessage: (message) => now().orders.addMessage(message),
    },
    revert: { to: (order) => now().revert.to(order) },
  };
}
