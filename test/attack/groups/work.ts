import type { Attack } from "../attack.ts";
import { HEAVY_REVERTS } from "../heavy-reverts.ts";
import { PAID_LONG_WORK } from "../paid-long-work.ts";
import { SOCKET_FLOOD } from "../socket-flood.ts";
import { UNPAID_DECLARES } from "../unpaid-declares.ts";

/** Floods of messages, and long transactions: they, too, use the whole machine. */
export const WORK: readonly Attack[] = [
  SOCKET_FLOOD,
  PAID_LONG_WORK,
  HEAVY_REVERTS,
  UNPAID_DECLARES,
];
