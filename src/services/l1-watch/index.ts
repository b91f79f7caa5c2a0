export type {
  ConsumedMessage,
  L1Alarm,
  L1ChainPort,
  L1HandlerOrder,
  L1HandlerOutcome,
} from "./ports.ts";
