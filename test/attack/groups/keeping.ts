import type { Attack } from "../attack.ts";
import { DROPPED_TRANSACTIONS } from "../dropped-transactions.ts";
import { HOSTILE_STORE } from "../hostile-store.ts";
import { L1_MESSAGES } from "../l1-messages.ts";

/** What is sent must be kept or refused, and what is served must be right: in small, beside other tests. */
export const KEEPING: readonly Attack[] = [DROPPED_TRANSACTIONS, L1_MESSAGES, HOSTILE_STORE];
