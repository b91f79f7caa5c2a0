import { Counter, Gauge, type Registry } from "./prom-client.ts";

/** Metrics of following L1; 0 or absent on nodes that do not follow L1. */
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
  readonly messagesSkipped: Counter<"reason">;
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
    headBlock: gauge("appchain_l1_head_block", "Newest block of L1"),
    finalBlock: gauge("appchain_l1_final_block", "Newest final L1 block that the node has read"),
    settlementLagBlocks: gauge(
      "appchain_l1_settlement_lag_blocks",
      "Accepted blocks not yet accepted on L1",
    ),
    stateMismatch: gauge(
      "appchain_l1_state_mismatch",
      "1 if L1 has a different root or hash for a block than this chain; block production is then stopped",
    ),
    unconfirmedMismatch: gauge(
      "appchain_l1_unconfirmed_mismatch",
      "1 while L1 appears to have a different root or hash that its endpoints have not confirmed",
    ),
    updatesRefuted: counter(
      "appchain_l1_updates_refuted",
      "State updates since start that one endpoint reported and the majority contradicted",
    ),
    alarm: new Gauge({
      name: "appchain_l1_alarm",
      help: "1 while block production is stopped because of L1, by finding",
      labelNames: ["kind"],
      registers,
    }),
    messageBacklog: gauge(
      "appchain_l1_message_backlog",
      "Final L1-to-L2 messages that are not in a block yet",
    ),
    messagesConsumed: counter(
      "appchain_l1_messages_consumed",
      "L1 messages included in blocks since start",
    ),
    messagesSkipped: new Counter({
      name: "appchain_l1_messages_left_out",
      help: "L1 messages since start that are not executed, by reason",
      labelNames: ["reason"],
      registers,
    }),
    gasPriceWei: gauge("appchain_l1_block_gas_price", "Latest gas price of L1 in wei"),
    gasPriceStrk: gauge(
      "appchain_l1_block_gas_price_strk",
      "Latest gas price of L1 in fri, at the newest exchange rate",
    ),
    priceAgeSeconds: gauge(
      "appchain_l1_price_age_seconds",
      "Seconds since the current prices were reported; 0 if all prices are fixed",
    ),
    pricesHeldBack: counter(
      "appchain_l1_prices_held_back",
      "Reported prices since start that were far from the hour's median and need confirmation",
    ),
    endpointState: new Gauge({
      name: "appchain_l1_endpoint_state",
      help: "1 for the current state of an L1 endpoint: unknown, in use, standing by, left (no longer used)",
      labelNames: ["endpoint", "state"],
      registers,
    }),
    notFollowed: gauge(
      "appchain_l1_not_followed",
      "1 while L1 gives no usable response, for example because its endpoints contradict each other",
    ),
    stepFailures: new Counter({
      name: "appchain_l1_step_failures",
      help: "Failed L1 polls since start, by polled data",
      labelNames: ["part"],
      registers,
    }),
    reorgs: counter(
      "appchain_l1_reorgs",
      "L1 blocks since start that were read and later reorganized away",
    ),
  };
}
