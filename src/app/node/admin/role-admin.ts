import type { AdminAccessDeps } from "./admin-access.ts";

/** Admin operations that depend on the node's role. */
export type RoleAdmin = Pick<AdminAccessDeps, "admission" | "orders" | "revert">;

/** Forwards each operation to the role that the node has at the time of the call. */
export function byCurrentRole(now: () => RoleAdmin): RoleAdmin {
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
