import {
  array,
  type Decoder,
  felt,
  integer,
  json,
  object,
  type StreamDecoder,
  streamWhole,
} from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { TransactionLocation } from "#engine/state/index.ts";
import { FeltLists, remoteTrace } from "#io/client/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginTask } from "../rpc/pending.ts";
import { readBlockList } from "./block-list.ts";
import type { OriginCaller } from "./caller.ts";
import { hashId, largeCall } from "./calls.ts";
import type { ForkBlocks } from "./fork-blocks.ts";
import { orAbsent, RPC_CODES } from "./rpc-codes.ts";

/**
 * Reads values of an origin by the hash of a block or transaction. A hash that only later blocks or
 * other branches have is unknown.
 */
export class OriginLookups {
  readonly #caller: OriginCaller;
  readonly #blocks: ForkBlocks;

  constructor(caller: OriginCaller, blocks: ForkBlocks) {
    this.#caller = caller;
    this.#blocks = blocks;
  }

  /**
   * Returns the number of the fork block or of an ancestor; `undefined` for other blocks.
   *
   * @throws {OriginError} as `OriginCaller.read`
   */
  async numberOf(blockHash: Felt, task: OriginTask): Promise<number | undefined> {
    const { fork } = this.#blocks;
    if (blockHash === fork.hash) return fork.number;
    const reading = readBlockList(this.#caller, hashId(blockHash), task);
    const list = await orAbsent(reading, RPC_CODES.blockNotFound);
    if (list === undefined) return undefined;
    const { number } = list.head;
    return (await this.#blocks.isAncestor(number, blockHash, task)) ? number : undefined;
  }

  /**
   * Returns the location of a transaction up to the fork block; `undefined` for others.
   *
   * @throws {OriginError} ORIGIN_BAD_ANSWER when the block lacks the transaction, and as `OriginCaller.read`
   */
  async locate(transactionHash: Felt, task: OriginTask): Promise<TransactionLocation | undefined> {
    const params = { transaction_hash: hexFromFelt(transactionHash) };
    const call = largeCall("getTransactionReceipt", params);
    const reading = this.#caller.read(call, receiptPlace, task);
    const read = await orAbsent(reading, RPC_CODES.transactionNotFound);
    if (read === undefined) return undefined;
    const { transaction_hash, block_hash: hash, block_number: blockNumber } = read.value;
    if (transaction_hash !== transactionHash) {
      throw wrongAnswer(`${read.name} returned another receipt for "${task.what}"`);
    }
    // A transaction that is not in a sealed block has no hash or number.
    if (hash === undefined || blockNumber === undefined) return undefined;
    if (!(await this.#blocks.isAncestor(blockNumber, hash, task))) return undefined;
    const { transactionHashes } = await this.#blocks.list(blockNumber, task);
    const index = transactionHashes.indexOf(transactionHash);
    if (index !== -1) return { blockNumber, index };
    throw wrongAnswer(`${read.name}: block ${blockNumber} lacks the transaction of "${task.what}"`);
  }

  /**
   * Returns the trace of a transaction up to the fork block as JSON text; `null` for others.
   *
   * @throws {OriginError} as `OriginCaller.readText`
   */
  async trace(transactionHash: Felt, task: OriginTask): Promise<Uint8Array | null> {
    if ((await this.locate(transactionHash, task)) === undefined) return null;
    const call = largeCall("traceTransaction", { transaction_hash: hexFromFelt(transactionHash) });
    return (await this.#caller.readText(call, remoteTrace(new FeltLists()), task)).bytes;
  }

  /**
   * Returns the statuses of an L1 transaction's messages that blocks up to the fork block consumed, as JSON
   * text; an empty list for an unknown L1 transaction.
   *
   * @throws {OriginError} as `OriginCaller.readText`
   */
  async messages(l1TransactionHash: bigint, task: OriginTask): Promise<Uint8Array> {
    const hash = `0x${l1TransactionHash.toString(16).padStart(64, "0")}`;
    const call = largeCall("getMessagesStatus", { transaction_hash: hash });
    const reading = this.#caller.readText(call, messageStatuses, task);
    const read = await orAbsent(reading, RPC_CODES.transactionNotFound);
    const statuses = read?.value ?? [];
    const places = await Promise.all(statuses.map((each) => this.locate(each.hash, task)));
    const kept = statuses.filter((_, index) => places[index] !== undefined);
    return new TextEncoder().encode(`[${kept.map(({ text }) => text).join(",")}]`);
  }
}

const receiptPlace = object(
  { transaction_hash: felt },
  { block_hash: felt, block_number: integer() },
);

interface MessageStatus {
  readonly hash: Felt;
  /** The status as JSON text. */
  readonly text: string;
}

const statusHash = object({ transaction_hash: felt, finality_status: json });

const messageStatus: Decoder<MessageStatus> = {
  describe: statusHash.describe,
  decode: (value, path) => ({
    hash: statusHash.decode(value, path).transaction_hash,
    text: JSON.stringify(value),
  }),
};

const messageStatuses: StreamDecoder<readonly MessageStatus[]> = streamWhole(array(messageStatus));
