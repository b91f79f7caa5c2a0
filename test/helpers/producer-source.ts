import type { ProducerSource } from "#services/sequencer/producer-settings.ts";

/**
 * Source members of a block producer that no test observes: it executes every batch completely at
 * computed prices.
 */
export const UNWATCHED = {
  beforeTransaction: () => undefined,
  pace: null,
  priced: (prices) => prices,
} as const satisfies Partial<ProducerSource>;
