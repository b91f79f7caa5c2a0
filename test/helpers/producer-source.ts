import type { ProducerSource } from "#services/sequencer/producer-settings.ts";

/** A producer that nobody watches, and that executes every batch to its end at the prices that it computes. */
export const UNWATCHED = {
  beforeTransaction: () => undefined,
  pace: null,
  priced: (prices) => prices,
} as const satisfies Partial<ProducerSource>;
