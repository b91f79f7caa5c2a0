import type { ProducerSource } from "#services/sequencer/producer-settings.ts";

/**
 * Source of a producer without an observer that executes every batch completely at computed prices.
 */
export const UNWATCHED = {
  beforeTransaction: () => undefined,
  pace: null,
  priced: (prices) => prices,
} as const satisfies Partial<ProducerSource>;
