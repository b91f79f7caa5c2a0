import type { Attack } from "../attack.ts";
import { GATEWAY_LIES } from "../gateway-lies.ts";
import { HALF_DEAD_GATEWAY } from "../half-dead-gateway.ts";
import { SLOW_GATEWAY } from "../slow-gateway.ts";

/** Gateways that lie, respond slowly or partially, and the full nodes that follow them. */
export const GATEWAYS: readonly Attack[] = [HALF_DEAD_GATEWAY, SLOW_GATEWAY, GATEWAY_LIES];
