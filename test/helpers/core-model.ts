import { type Hex, keccak256 } from "viem";
import { NO_BLOCK, TEST_CONFIG_HASH, words } from "./l1-core.ts";

const FIELD_PRIME = 0x800000000000011000000000000000000000000000000000000000000000001n;
const LENGTH_BOUND = 2n ** 30n;
const HEADER_WORDS = 10;

/**
 * Model of the L1 core contract in its initial state, with the checks that it makes on updates, in
 * their order.
 */
export class CoreModel {
  /** Number of messages to L1, by hash. */
  readonly toL1 = new Map<Hex, number>();
  readonly consumed: Hex[] = [];
  readonly #waiting: Set<Hex>;

  /** @param waiting - hashes of the messages to L2 that can be consumed */
  constructor(waiting: Iterable<Hex>) {
    this.#waiting = new Set(waiting);
  }

  /** Text of the rejection of an update with a known proof; "no refusal" if it is accepted. */
  update(output: readonly bigint[]): string {
    const [prevRoot, , prevNumber, , prevHash, , program, config, kzg, full] = output;
    if (output.length <= HEADER_WORDS) return "STARKNET_OUTPUT_TOO_SHORT";
    if (prevNumber !== NO_BLOCK) return "INVALID_PREV_BLOCK_NUMBER";
    if (kzg !== 0n) return "UNEXPECTED_KZG_DA_FLAG";
    if (output.some((word) => word >= FIELD_PRIME)) return "PROGRAM_OUTPUT_VALUE_OUT_OF_RANGE";
    if (config !== TEST_CONFIG_HASH) return "INVALID_CONFIG_HASH";
    if (full !== 0n) return "FULL_OUTPUT_NOT_SUPPORTED";
    if (program !== 0n) return "AGGREGATOR_MODE_INVALID_OS_PROGRAM_HASH";
    if (prevHash !== 0n) return "INVALID_PREV_BLOCK_HASH";
    if (prevRoot !== 0n) return "INVALID_PREVIOUS_ROOT";
    const first = this.#segment(output, HEADER_WORDS, 3, (hash) => {
      this.toL1.set(hash, (this.toL1.get(hash) ?? 0) + 1);
      return true;
    });
    if (typeof first === "string") return first;
    const second = this.#segment(output, first, 5, (hash) => {
      this.consumed.push(hash);
      return this.#waiting.delete(hash);
    });
    if (typeof second === "string") return second;
    return second === output.length ? "no refusal" : "STARKNET_OUTPUT_TOO_LONG";
  }

  /** Reads a segment. @returns its end, or the reason of a rejection */
  #segment(
    output: readonly bigint[],
    start: number,
    prefixWords: number,
    take: (hash: Hex) => boolean,
  ): number | string {
    const size = output[start];
    if (size === undefined) return "STARKNET_OUTPUT_TOO_SHORT";
    if (size >= LENGTH_BOUND) return "INVALID_MESSAGE_SEGMENT_SIZE";
    const end = start + 1 + Number(size);
    let at = start + 1;
    while (at < end) {
      const length = output[at + prefixWords - 1];
      if (length === undefined) return "MESSAGE_TOO_SHORT";
      if (length >= LENGTH_BOUND) return "INVALID_PAYLOAD_LENGTH";
      const next = at + prefixWords + Number(length);
      if (next > output.length) return "TRUNCATED_MESSAGE_PAYLOAD";
      if (!take(keccak256(words(output.slice(at, next))))) return "INVALID_MESSAGE_TO_CONSUME";
      at = next;
    }
    return at === end ? end : "INVALID_MESSAGE_SEGMENT_SIZE";
  }
}
