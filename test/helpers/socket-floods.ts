import { clientFrame } from "./ws-frames.ts";

/** Bytes that a WebSocket client sends repeatedly. */
export interface SocketFlood {
  readonly name: string;
  /** Bytes of one round; rounds are sent as fast as the socket accepts them. */
  readonly round: Uint8Array;
  /** Whether the client cancels every subscription whose id it reads. */
  readonly unsubscribes?: boolean;
}

const PING = 9;
const PONG = 10;
const CONTINUATION = 0;

/** Number of fragments of a message before its last one. */
const FRAGMENTS = 1_000;
const KEYS = 1_000;
/** Default batch limit of a node. */
const BATCH_LENGTH = 1_024;

const requestOf = (method: string, params: unknown = []): object => ({
  jsonrpc: "2.0",
  id: 1,
  method: `starknet_${method}`,
  params,
});

const textOf = (...requests: readonly object[]): string =>
  JSON.stringify(requests.length === 1 ? requests[0] : requests);

function fragmented(payload: string): Uint8Array {
  const part = clientFrame(payload, { opcode: CONTINUATION, isFinal: false });
  return Buffer.concat([
    clientFrame("", { isFinal: false }),
    ...Array.from({ length: FRAGMENTS }, () => part),
    clientFrame("", { opcode: CONTINUATION }),
  ]);
}

const messageFlood = (name: string, text: string, unsubscribes = false): SocketFlood => ({
  name,
  round: clientFrame(text),
  unsubscribes,
});

const subscriptionFlood = (method: string, params: unknown): SocketFlood =>
  messageFlood(method, textOf(requestOf(method, params)), true);

/** Keys of a filter, shorter than a hash so that many fit into a short message. */
const keys = [Array.from({ length: KEYS - 1 }, (_, i) => `0x${(i + 1).toString(16)}`)];

/** Every kind of frame, and every kind of message of a client. */
export const SOCKET_FLOODS: readonly SocketFlood[] = [
  { name: "pings", round: clientFrame("ping", { opcode: PING }) },
  { name: "pongs", round: clientFrame("pong", { opcode: PONG }) },
  { name: "empty messages", round: clientFrame("") },
  { name: "empty fragments", round: fragmented("") },
  { name: "fragments of one byte", round: fragmented("1") },
  {
    name: "a message without an end",
    round: clientFrame("1", { opcode: CONTINUATION, isFinal: false }),
  },
  messageFlood("messages of one byte", "1"),
  messageFlood("malformed JSON", '{"jsonrpc":'),
  messageFlood("chainId", textOf(requestOf("chainId"))),
  messageFlood("an unknown method", textOf(requestOf("noSuchMethod"))),
  messageFlood(
    "a batch of chainId",
    textOf(...Array.from({ length: BATCH_LENGTH }, () => requestOf("chainId"))),
  ),
  messageFlood("unsubscribe", textOf(requestOf("unsubscribe", ["1"]))),
  subscriptionFlood("subscribeNewHeads", []),
  subscriptionFlood("subscribeEvents", { keys }),
  subscriptionFlood("subscribeTransactionStatus", ["0x1"]),
  subscriptionFlood("subscribePendingTransactions", {}),
  subscriptionFlood("subscribeNewTransactions", {}),
  subscriptionFlood("subscribeNewTransactionReceipts", {}),
];
