/** Methods that are served although the `chain_` interface lacks them. */
export const BEYOND_CHAIN_METHODS: readonly string[] = [
  "getMessagesStatus",
  "getCompiledCasm",
  "getStorageProof",
];

/**
 * Parameters that the specification requires and that are optional here: the `chain_` interface
 * lacks them, or calls without them are common.
 */
export const OPTIONAL_PARAMETERS: readonly string[] = [
  "estimateFee.simulation_flags",
  "simulateTransactions.simulation_flags",
];
