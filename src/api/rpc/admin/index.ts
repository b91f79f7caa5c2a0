export { type AdminAccess, MAX_LISTED } from "./access.ts";
export { ADMIN_METHODS } from "./methods.ts";
export { openAdminListener, serveAdmin } from "./server.ts";
export { type AdminToken, readAdminToken } from "./token.ts";
