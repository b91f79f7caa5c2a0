import { nonsense } from "../endpoint/fault.ts";
import { turn } from "../endpoint/turn.ts";
import { count, data, hash, list, type Members } from "../endpoint/values.ts";
import type { CoreContractLog, L1LogPlace, MessageLog, StateUpdateLog } from "../types.ts";
import { MESSAGE_TOPIC, STATE_UPDATE_TOPIC } from "./abi.ts";

/** Hex characters of a 32-byte word. */
const WORD_CHARACTERS = 64;

/** Words decoded per turn of the event loop: a message can have as many as the gas of a block allows. */
const TURN_WORDS = 16_384;

const ADDRESS_BOUND = 1n << 160n;
const SIGN_BOUND = 1n << 255n;
const WORD_BOUND = 1n << 256n;

/** Offset of the payload in a `LogMessageToL2`: after the offset itself, the nonce and the fee. */
const PAYLOAD_BYTES = 96n;

/**
 * Decodes a log of the core contract from a JSON-RPC response.
 *
 * @throws {EndpointFault} when it is another kind of log, or malformed
 */
export async function decodeLog(log: Members): Promise<CoreContractLog> {
  const topics = list(log["topics"], "topics of a log");
  const words = data(log["data"], "data of a log");
  const place: L1LogPlace = {
    l1Block: {
      number: count(log["blockNumber"], "block number of a log"),
      hash: hash(log["blockHash"], "block hash of a log"),
    },
    logIndex: count(log["logIndex"], "index of a log"),
    transactionHash: hash(log["transactionHash"], "transaction hash of a log"),
  };
  const [topic] = topics;
  const name = typeof topic === "string" ? topic.toLowerCase() : undefined;
  if (name === STATE_UPDATE_TOPIC && topics.length === 1) return stateUpdate(place, words);
  if (name === MESSAGE_TOPIC && topics.length === 4) return message(place, topics, words);
  throw nonsense("a log has topics that were not requested");
}

function stateUpdate(place: L1LogPlace, words: string): StateUpdateLog {
  if (wordCount(words) !== 3) throw nonsense("a LogStateUpdate does not have three words");
  return {
    kind: "state_update",
    ...place,
    stateRoot: word(words, 0),
    blockNumber: signed(word(words, 1)),
    blockHash: word(words, 2),
  };
}

async function message(
  place: L1LogPlace,
  [, from, to, selector]: readonly unknown[],
  words: string,
): Promise<MessageLog> {
  const fromAddress = hash(from, "sender of a message");
  const length = wordCount(words) - 4;
  const isWhole =
    length >= 0 && word(words, 0) === PAYLOAD_BYTES && word(words, 3) === BigInt(length);
  if (!isWhole || fromAddress >= ADDRESS_BOUND) throw nonsense("a LogMessageToL2 is malformed");
  const payload: bigint[] = [];
  for (let i = 0; i < length; i++) {
    if (i > 0 && i % TURN_WORDS === 0) await turn();
    payload.push(word(words, 4 + i));
  }
  return {
    kind: "message_to_l2",
    ...place,
    fromAddress,
    toAddress: hash(to, "recipient of a message"),
    selector: hash(selector, "selector of a message"),
    payload,
    nonce: word(words, 1),
    feeWei: word(words, 2),
  };
}

function wordCount(words: string): number {
  const length = (words.length - 2) / WORD_CHARACTERS;
  if (!Number.isInteger(length)) throw nonsense("the data of a log is not a multiple of 32 bytes");
  return length;
}

function word(words: string, index: number): bigint {
  const start = 2 + index * WORD_CHARACTERS;
  return BigInt(`0x${words.slice(start, start + WORD_CHARACTERS)}`);
}

function signed(value: bigint): bigint {
  return value < SIGN_BOUND ? value : value - WORD_BOUND;
}
