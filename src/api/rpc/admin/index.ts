export { type AdminAccess, MAX_LISTED, type MadeMessage, type NodeStatus } from "./access.ts";
export type { AdminContext } from "./admin-context.ts";
export { ADMIN_METHODS } from "./methods.ts";
export { openAdminListener, serveAdmin } from "./server.ts";
export { createAdminTable } from "./table.ts";
export { type AdminToken, readAdminToken } from "./token.ts";
export { encodeWeights } from "./methods/getBlockBouncerWeights.ts";
