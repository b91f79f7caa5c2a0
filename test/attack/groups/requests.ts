import type { Attack } from "../attack.ts";
import { FEEDER_FLOOD } from "../feeder-flood.ts";
import { GATEWAY_FLOOD } from "../gateway-flood.ts";
import { HOARDED_ANSWERS } from "../hoarded-answers.ts";
import { QUERY_FLOOD } from "../query-flood.ts";

/** Floods of requests that use the whole machine. */
export const REQUESTS: readonly Attack[] = [
  FEEDER_FLOOD,
  GATEWAY_FLOOD,
  QUERY_FLOOD,
  HOARDED_ANSWERS,
];
