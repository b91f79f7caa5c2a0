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
 * Who makes the chain's blocks, rewritten each second. It is a sign of life and an address, never a
 * permission: what decides is the object of each block.
 */
export interface LeaderRecord {
  /** Counts the changes of the chain's sequencer. */
  readonly epoch: number;
  /** Recognizes a sequencer through its restarts: 32 hex digits that its data directory keeps. */
  readonly instance: string;
  /** Recognizes a process: 32 hex digits that each start makes. Copies of a data directory differ by it. */
  readonly run: string;
  /** Grows with each writing: whoever sees it move knows that somebody is there. */
  readonly counter: number;
  /** Newest block that is published; -1: none. */
  readonly newestBlock: number;
  /** Where the gateway is reached, `http://` or `https://`; `null`: it has none. */
  readonly gatewayUrl: string | null;
  /** It stopped in order: nobody has to wait for its silence. */
  readonly hasStopped: boolean;
}

/** Largest epoch: nobody comes near it by taking over, and whoever writes one cannot use up the numbers. */
export const MAX_EPOCH: number = 2 ** 32;

/** Most bytes of a record. */
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

/** A record as it is stored: JSON. */
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
 * Reads a record.
 *
 * @throws {DecodeError} when it is none
 */
export function decodeLeader(bytes: Uint8Array): LeaderRecord {
  const value = parseJson(new TextDecoder().decode(bytes), { maxDepth: 2 });
  const { newest_block, gateway_url, stopped, ...rest } = record.decode(value, "leader");
  return { ...rest, newestBlock: newest_block, gatewayUrl: gateway_url, hasStopped: stopped };
}
