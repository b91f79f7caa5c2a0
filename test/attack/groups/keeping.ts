import type { Attack } from "../attack.ts";
import { DROPPED_TRANSACTIONS } from "../dropped-transactions.ts";
import { HOSTILE_STORE } from "../hostile-store.ts";
import { L1_MESSAGES } from "../l1-messages.ts";

/**
 * Attacks on the durability of transactions and the integrity of data; in small they run in
 * parallel with other tests.
 */
export const KEEPING: readonly Attack[] = [DROPPED_TRANSACTIONS, L1_MESSAGES, HOSTILE_STORE];
