/** Weights of a block or a transaction. Every member is below 2^64. */
export interface BouncerWeights {
  /** L1 gas of messages between L1 and L2, without the prover's part. */
  readonly l1Gas: bigint;
  readonly messageSegmentLength: bigint;
  readonly eventCount: bigint;
  readonly transactionCount: bigint;
  /** Words of the state diff as counted for data availability. */
  readonly stateDiffSize: bigint;
  readonly sierraGas: bigint;
  readonly provingGas: bigint;
  /** L2 gas as charged in the receipts. */
  readonly receiptL2Gas: bigint;
  /** Machine steps including the operating system's part (older capacity form). */
  readonly steps: bigint;
}

/** All weights 0. */
export const NO_WEIGHTS: BouncerWeights = {
  l1Gas: 0n,
  messageSegmentLength: 0n,
  eventCount: 0n,
  transactionCount: 0n,
  stateDiffSize: 0n,
  sierraGas: 0n,
  provingGas: 0n,
  receiptL2Gas: 0n,
  steps: 0n,
};

/** Returns the sum of two weights. */
export function addWeights(a: BouncerWeights, b: BouncerWeights): BouncerWeights {
  return {
    l1Gas: a.l1Gas + b.l1Gas,
    messageSegmentLength: a.messageSegmentLength + b.messageSegmentLength,
    eventCount: a.eventCount + b.eventCount,
    transactionCount: a.transactionCount + b.transactionCount,
    stateDiffSize: a.stateDiffSize + b.stateDiffSize,
    sierraGas: a.sierraGas + b.sierraGas,
    provingGas: a.provingGas + b.provingGas,
    receiptL2Gas: a.receiptL2Gas + b.receiptL2Gas,
    steps: a.steps + b.steps,
  };
}

const UNLIMITED = (1n << 64n) - 1n;

/** Formats weights as in the reference engine's error. */
export function weightsText(weights: Partial<BouncerWeights>): string {
  const of = (name: keyof BouncerWeights): bigint => weights[name] ?? UNLIMITED;
  return (
    `BouncerWeights { l1_gas: ${of("l1Gas")}, ` +
    `message_segment_length: ${of("messageSegmentLength")}, n_events: ${of("eventCount")}, ` +
    `n_txs: ${of("transactionCount")}, state_diff_size: ${of("stateDiffSize")}, ` +
    `sierra_gas: ${of("sierraGas")}, proving_gas: ${of("provingGas")}, ` +
    `receipt_l2_gas: ${of("receiptL2Gas")} }`
  );
}
