import {
  bool,
  integer,
  nullable,
  object,
  parseJson,
  stringifyJson,
  textOf,
} from "#base/codec/index.ts";

/**
 * Sequencer that makes the chain's blocks, rewritten every second. The record is a heartbeat and an address,
 * never a permission: the object of each block decides who leads.
 */
export interface LeaderRecord {
  /** Number of sequencer changes of the chain. */
  readonly epoch: number;
  /** Identifies a sequencer across restarts: 32 hex digits kept in its data directory. */
  readonly instance: string;
  /** Identifies a process: 32 hex digits made at each start. Distinguishes copies of a data directory. */
  readonly run: string;
  /** Grows with each write. A change proves that the leader is alive. */
  readonly counter: number;
  /** Newest published block; -1 if none. */
  readonly newestBlock: number;
  /** Gateway URL, `http://` or `https://`; `null` if the leader has no gateway. */
  readonly gatewayUrl: string | null;
  /** Whether the leader stopped in order, so that nobody has to wait for its silence. */
  readonly hasStopped: boolean;
}

/** Largest epoch. Takeovers never come near it, and a forged record cannot exhaust the numbers. */
export const MAX_EPOCH: number = 2 ** 32;

/** Maximum size of a record in bytes. */
export const MAX_LEADER_BYTES = 8_192;

const recognition = textOf({ pattern: /^[0-9a-f]{32}$/, describe: "32 hex digits" });

const record = object({
  epoch: integer(0, MAX_EPOCH),
  instance: recognition,
  run: recognition,
  counter: integer(),
  newest_block: integer(-1),
  gateway_url: nullable(
    textOf({ pattern: /^https?:\/\/\S{1,2000}$/, describe: "http:// or https:// address" }),
  ),
  stopped: bool,
});

/** Encodes a record as JSON. */
export function encodeLeader(leader: LeaderRecord): Uint8Array<ArrayBuffer> {
  const members = {
    epoch: leader.epoch,
    instance: leader.instance,
    run: leader.run,
    counter: leader.counter,
    newest_block: leader.newestBlock,
    gateway_url: leader.gatewayUrl,
    stopped: leader.hasStopped,
  };
  return new TextEncoder().encode(stringifyJson(record.encode(members)));
}

/**
 * Decodes a record.
 *
 * @throws {DecodeError} when the bytes are not a leader record
 */
export function decodeLeader(bytes: Uint8Array): LeaderRecord {
  const value = parseJson(new TextDecoder().decode(bytes), { maxDepth: 2 });
  const { newest_block, gateway_url, stopped, ...rest } = record.decode(value, "leader");
  return { ...rest, newestBlock: newest_block, gatewayUrl: gateway_url, hasStopped: stopped };
}
