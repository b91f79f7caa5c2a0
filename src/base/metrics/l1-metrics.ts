import { Counter, Gauge, type Registry } from "prom-client";

/** What a node tells of following L1; where L1 is not followed all of it stays 0 or has no value. */
export interface L1Metrics {
  readonly headBlock: Gauge;
  readonly finalBlock: Gauge;
  readonly settlementLagBlocks: Gauge;
  readonly stateMismatch: Gauge;
  readonly unconfirmedMismatch: Gauge;
  readonly updatesRefuted: Counter;
  readonly alarm: Gauge<"kind">;
  readonly messageBacklog: Gauge;
  readonly messagesConsumed: Counter;
  readonly messagesLeftOut: Counter<"reason">;
  readonly gasPriceWei: Gauge;
  readonly gasPriceStrk: Gauge;
  readonly priceAgeSeconds: Gauge;
  readonly pricesHeldBack: Counter;
  readonly endpointState: Gauge<"endpoint" | "state">;
  readonly notFollowed: Gauge;
  readonly stepFailures: Counter<"part">;
  readonly reorgs: Counter;
}

/** Declares the metrics of following L1. */
export function createL1Metrics(registers: Registry[]): L1Metrics {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  return {
    headBlock: gauge("appchain_l1_head_block", "Newest block of L1 itself"),
    finalBlock: gauge("appchain_l1_final_block", "Newest block of L1 that counts and was read"),
    settlementLagBlocks: gauge(
      "appchain_l1_settlement_lag_blocks",
      "Accepted blocks that are not accepted on L1 yet",
    ),
    stateMismatch: gauge(
      "appchain_l1_state_mismatch",
      "1 when L1 has another root or hash of a block than this chain: production stops",
    ),
    unconfirmedMismatch: gauge(
      "appchain_l1_unconfirmed_mismatch",
      "1 while L1 seems to have another root or hash, and its endpoints have not confirmed it",
    ),
    updatesRefuted: counter(
      "appchain_l1_updates_refuted",
      "State updates that one endpoint reported and most refuted, since start",
    ),
    alarm: new Gauge({
      name: "appchain_l1_alarm",
      help: "1 while production is stopped because of L1, by what was found",
      labelNames: ["kind"],
      registers,
    }),
    messageBacklog: gauge(
      "appchain_l1_message_backlog",
      "Messages to L2 that count on L1 and are in no block yet",
    ),
    messagesConsumed: counter(
      "appchain_l1_messages_consumed",
      "Messages of L1 that got into blocks since start",
    ),
    messagesLeftOut: new Counter({
      name: "appchain_l1_messages_left_out",
      help: "Messages of L1 since start that are not executed, by reason",
      labelNames: ["reason"],
      registers,
    }),
    gasPriceWei: gauge("appchain_l1_block_gas_price", "Gas price in wei that L1 told last"),
    gasPriceStrk: gauge(
      "appchain_l1_block_gas_price_strk",
      "The same in fri, at the newest exchange rate",
    ),
    priceAgeSeconds: gauge(
      "appchain_l1_price_age_seconds",
      "Since the prices that hold were told; 0 where all are fixed",
    ),
    pricesHeldBack: counter(
      "appchain_l1_prices_held_back",
      "Told prices since start that were far off the hour's median and wait to be confirmed",
    ),
    endpointState: new Gauge({
      name: "appchain_l1_endpoint_state",
      help: "1 for the state that an L1 endpoint is in: unknown, in use, standing by, left",
      labelNames: ["endpoint", "state"],
      registers,
    }),
    notFollowed: gauge(
      "appchain_l1_not_followed",
      "1 while L1 gives no answer that can be used, as when its endpoints contradict each other",
    ),
    stepFailures: new Counter({
      name: "appchain_l1_step_failures",
      help: "Looks at L1 since start that ended with an error, by what was looked for",
      labelNames: ["part"],
      registers,
    }),
    reorgs: counter("appchain_l1_reorgs", "Blocks of L1 since start that were read and are gone"),
  };
}
