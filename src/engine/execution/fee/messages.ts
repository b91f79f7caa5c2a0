const L1_GAS_PER_WORD = 512;
/** Gas of proving and publishing a word on L1, in addition to {@link L1_GAS_PER_WORD}. */
const SHARP_GAS_PER_WORD = 612;
const GAS_PER_NEW_COUNTER = 20_000;
const GAS_PER_COUNTER_DECREASE = 5_000;
const GAS_PER_LOG = 375;
const GAS_PER_TOPIC = 375;
const GAS_PER_LOG_WORD = 256;

/** Words before a payload to L1: `to_address`, `from_address`, payload length. */
const L2_TO_L1_HEADER = 3;
/** Words before a payload from L1: `from_address`, `to_address`, nonce, selector, length. */
const L1_TO_L2_HEADER = 5;

/** Messages of a transaction, as the core contract counts them. */
export interface MessageResources {
  /** Payload lengths of messages to L1, in sending order. */
  readonly messagePayloadLengths: readonly number[];
  /** Words that the messages add to the segment passed to the core contract. */
  readonly messageSegmentLength: number;
  /** Payload length of the L1 message handled by the transaction; `null` for other transactions. */
  readonly l1HandlerPayloadSize: number | null;
}

/** Words that messages add to the segment passed to the core contract. */
export function messageSegmentLength(
  payloadLengths: readonly number[],
  l1HandlerPayloadSize: number | null,
): number {
  let length = l1HandlerPayloadSize === null ? 0 : L1_TO_L2_HEADER + l1HandlerPayloadSize;
  for (const payload of payloadLengths) length += L2_TO_L1_HEADER + payload;
  return length;
}

/** L1 gas of messages in the core contract, without the prover's part: what block capacity counts. */
export function messageStarknetGas(resources: MessageResources): bigint {
  const { messagePayloadLengths, l1HandlerPayloadSize, messageSegmentLength: words } = resources;
  let gas = words * L1_GAS_PER_WORD + messagePayloadLengths.length * GAS_PER_NEW_COUNTER;
  // LogMessageToL1 has two indexed arguments, ConsumedMessageToL2 three. The payload is an array, which
  // Solidity encodes with an offset and a length.
  for (const payload of messagePayloadLengths) gas += logGas(2, 2 + payload);
  if (l1HandlerPayloadSize !== null) {
    gas += GAS_PER_COUNTER_DECREASE + logGas(3, 3 + l1HandlerPayloadSize);
  }
  return BigInt(gas);
}

/** L1 gas of messages, including the prover's part. */
export function messageGas(resources: MessageResources): bigint {
  return (
    messageStarknetGas(resources) + BigInt(resources.messageSegmentLength * SHARP_GAS_PER_WORD)
  );
}

function logGas(topics: number, dataWords: number): number {
  return GAS_PER_LOG + (topics + 1) * GAS_PER_TOPIC + dataWords * GAS_PER_LOG_WORD;
}
