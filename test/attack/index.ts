import type { Attack } from "./attack.ts";
import { BOOTSTRAP_KILLS } from "./bootstrap-kills.ts";
import { CAIRO0_CLASSES } from "./cairo0-classes.ts";
import { CUT_FILES } from "./cut-files.ts";
import { DROPPED_TRANSACTIONS } from "./dropped-transactions.ts";
import { EARLY_ANSWERS } from "./early-answers.ts";
import { FAILOVER } from "./failover.ts";
import { FAILOVER_KILLS } from "./failover-kills.ts";
import type { FleetAttack } from "./failover-fleet.ts";
import { FAILOVER_PAUSES } from "./failover-pauses.ts";
import { FEEDER_FLOOD } from "./feeder-flood.ts";
import { FORGETFUL_STORE } from "./forgetful-store.ts";
import { GATE_KILLS } from "./gate-kills.ts";
import { GATEWAY_FLOOD } from "./gateway-flood.ts";
import { GATEWAY_LIES } from "./gateway-lies.ts";
import { HALF_DEAD_GATEWAY } from "./half-dead-gateway.ts";
import { HALF_FOLDER } from "./half-folder.ts";
import { HOARDED_ANSWERS } from "./hoarded-answers.ts";
import { HUNG_DISK } from "./hung-disk.ts";
import { HEAVY_REVERTS } from "./heavy-reverts.ts";
import { HOSTILE_STORE } from "./hostile-store.ts";
import { L1_MESSAGES } from "./l1-messages.ts";
import { L1_WRONG_ROOT } from "./l1-wrong-root.ts";
import { LARGE_TRACES } from "./large-traces.ts";
import { PAID_LONG_WORK } from "./paid-long-work.ts";
import { QUERY_FLOOD } from "./query-flood.ts";
import { REFUSED_BLOCKS } from "./refused-blocks.ts";
import { SLOW_GATEWAY } from "./slow-gateway.ts";
import { SLOW_UPLOADS } from "./slow-uploads.ts";
import { SNAPSHOT_FAULTS } from "./snapshot-faults.ts";
import { SOCKET_FLOOD } from "./socket-flood.ts";
import { STORE_OUTAGES } from "./store-outages.ts";
import { UNPAID_DECLARES } from "./unpaid-declares.ts";

/** Floods of requests that take all that the machine has. */
export const REQUESTS: readonly Attack[] = [
  FEEDER_FLOOD,
  GATEWAY_FLOOD,
  QUERY_FLOOD,
  HOARDED_ANSWERS,
];

/** Floods of messages, and transactions of long work: they, too, take all that the machine has. */
export const WORK: readonly Attack[] = [
  SOCKET_FLOOD,
  PAID_LONG_WORK,
  HEAVY_REVERTS,
  UNPAID_DECLARES,
];

/** Requests, classes and traces that are large, slow or answered early: in small, beside other tests. */
export const LARGE: readonly Attack[] = [EARLY_ANSWERS, SLOW_UPLOADS, CAIRO0_CLASSES, LARGE_TRACES];

/** What is sent must be kept or refused, and what is served must be right: in small, beside other tests. */
export const KEEPING: readonly Attack[] = [DROPPED_TRANSACTIONS, L1_MESSAGES, HOSTILE_STORE];

/** Attacks that bound no client's waiting time: in small, other tests may run in parallel. */
export const UNTIMED: readonly Attack[] = [SNAPSHOT_FAULTS, L1_WRONG_ROOT, HALF_FOLDER, CUT_FILES];

/** Attacks on a leader and its standby; in small they share one fleet. */
export const FAILOVERS: readonly FleetAttack[] = [FAILOVER, FAILOVER_PAUSES];

/** Gateways that lie, drip or answer half of what they are asked, and the full nodes that follow them. */
export const GATEWAYS: readonly Attack[] = [HALF_DEAD_GATEWAY, SLOW_GATEWAY, GATEWAY_LIES];

/** Disks and stores that keep a leader from publishing blocks. */
export const FENCES: readonly Attack[] = [HUNG_DISK, REFUSED_BLOCKS, FORGETFUL_STORE];

/** Loops of kills that wait for silence most of their time: at full size alone. */
const KILLS: readonly Attack[] = [GATE_KILLS, FAILOVER_KILLS];

/** Attacks that wait most of their time, for silence, blocks, and processes that start. */
export const WAITING: readonly Attack[] = [
  ...KILLS,
  STORE_OUTAGES,
  ...FAILOVERS,
  ...GATEWAYS,
  ...FENCES,
];

/** All attacks, in the order in which they run. */
export const ATTACKS: readonly Attack[] = [
  ...REQUESTS,
  ...WORK,
  ...LARGE,
  ...KEEPING,
  // A loop of kills, too: at full size alone.
  BOOTSTRAP_KILLS,
  ...UNTIMED,
  ...WAITING,
];
