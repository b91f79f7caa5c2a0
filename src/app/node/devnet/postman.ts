import {
  DevnetFault,
  type FlushedMessages,
  type MessagingOrder,
  type MockMessageToL2,
} from "#api/rpc/index.ts";
import { L1Error } from "#base/errors/index.ts";
import { ADDRESS_BOUND, FIELD_PRIME, type Felt, Turns } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { MessageLog, MockMessaging } from "#io/l1/index.ts";
import type { MessageToL1 } from "#protocol/chain/index.ts";
import type { MockL1 } from "./mock-l1.ts";

/** Maximum messages to L1 that one flush reports without an L1; the next flush reports the rest. */
export const MAX_FLUSHED = 10_000;

/** Maximum messages that one flush sends: each is a transaction on L1. */
export const MAX_SENT = 100;

/** Maximum messages that one flush takes from L1. */
export const MAX_FLUSHED_MESSAGES = 200;

/** Maximum requests that wait for another one's use of L1. */
export const MAX_WAITING = 16;

/** Bound of a fee: 128 bits on the wire. */
const FEE_BOUND = 1n << 128n;

/** Dependencies of {@link Postman}. */
export interface PostmanDeps {
  readonly mockL1: MockL1;
  /** Connects to an L1. @throws {L1Error} when it is unreachable */
  readonly open: (order: MessagingOrder) => Promise<Messaging>;
  readonly log: Logger;
}

/** Messaging contract on an L1. */
export type Messaging = Pick<MockMessaging, "name" | "address" | "take" | "send">;

/** Executes a message. @throws {DevnetFault} with the reason why it was not executed */
type Execute = (message: MockMessageToL2) => Promise<Felt>;

/** Carries messages between the chain and an L1: the loaded one, else an imitated one. */
export class Postman {
  readonly #deps: PostmanDeps;
  #messaging: Messaging | undefined;
  readonly #turns = new Turns();
  #waiting = 0;
  /** Last failure of L1, and the number of failures. */
  #failure: DevnetFault | undefined;
  #failures = 0;

  constructor(deps: PostmanDeps) {
    this.#deps = deps;
  }

  /**
   * Loads a messaging contract. @throws {DevnetFault} when it does not exist; the current one stays in use
   */
  load(order: MessagingOrder): Promise<bigint> {
    return this.#inTurn(async () => {
      this.#messaging = await orFault(this.#deps.open(order));
      return this.#messaging.address;
    });
  }

  /** Unloads the messaging contract: L1 is imitated again. */
  forget(): void {
    this.#messaging = undefined;
  }

  /** See `DevnetAccess.consumeMessage`. */
  consume(message: MessageToL1): bigint | undefined {
    return this.#deps.mockL1.consume(message);
  }

  /** Applies a revert of the chain to a block. */
  revert(blockNumber: number): void {
    this.#deps.mockL1.revert(blockNumber);
  }

  /**
   * See `DevnetAccess.flushMessages`.
   *
   * @throws {DevnetFault} when L1 is unreachable, or does not accept all messages
   */
  async flush(isDry: boolean, execute: Execute): Promise<FlushedMessages> {
    if (isDry || this.#messaging === undefined) return this.#tell(isDry);
    return this.#inTurn(() => {
      const messaging = this.#messaging;
      return messaging === undefined ? this.#tell(isDry) : this.#carry(messaging, execute);
    });
  }

  #tell(isDry: boolean): FlushedMessages {
    const { messages, putBack } = this.#deps.mockL1.flush(MAX_FLUSHED);
    if (isDry) putBack(messages.length);
    return { toL1: messages, toL2: [], transactions: [], provider: undefined };
  }

  async #carry(messaging: Messaging, execute: Execute): Promise<FlushedMessages> {
    const { mockL1, log } = this.#deps;
    const toL2: MockMessageToL2[] = [];
    const transactions: Felt[] = [];
    // Their own messages to L1 are sent in the same flush, as in starknet-devnet.
    for (const received of await orFault(messaging.take(MAX_FLUSHED_MESSAGES))) {
      const origin = { nonce: received.nonce, l1_block: received.l1Block.number };
      const message = messageOf(received);
      if (message === undefined) {
        log.warn("skipped a message from L1: its values are not felts", origin);
        continue;
      }
      toL2.push(message);
      try {
        transactions.push(await execute(message));
      } catch (error) {
        if (!(error instanceof DevnetFault)) throw error;
        log.warn(`a message from L1 was not executed: ${error.message}`, origin);
      }
    }
    const { messages, putBack } = mockL1.flush(MAX_SENT);
    const { count, error } = await messaging.send(messages);
    putBack(messages.length - count);
    if (error !== undefined) throw faultOf(error);
    const toL1 = messages.slice(0, count);
    return { toL1, toL2, transactions, provider: `${messaging.name}/` };
  }

  /**
   * Runs requests one after another: concurrent flushes would send the same messages twice. When L1 fails,
   * waiting requests fail with the same error instead of waiting for it again.
   */
  async #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) {
      throw new DevnetFault(`${MAX_WAITING} requests are already waiting for L1`);
    }
    this.#waiting++;
    const failures = this.#failures;
    const done = this.#turns.run(() => {
      if (this.#failure !== undefined && this.#failures !== failures) throw this.#failure;
      return work();
    });
    try {
      return await done;
    } catch (error) {
      if (error instanceof DevnetFault && error !== this.#failure) {
        this.#failure = error;
        this.#failures++;
      }
      throw error;
    } finally {
      this.#waiting--;
    }
  }
}

/** Converts a log to a message; `undefined` if it cannot be executed because its values are not felts. */
function messageOf(log: MessageLog): MockMessageToL2 | undefined {
  const { toAddress, selector, payload, nonce, feeWei } = log;
  const isFelt = (value: bigint): boolean => value < FIELD_PRIME;
  const isExecutable =
    toAddress < ADDRESS_BOUND && [selector, nonce, ...payload].every(isFelt) && feeWei < FEE_BOUND;
  if (!isExecutable) return undefined;
  return {
    l1ContractAddress: log.fromAddress,
    l2ContractAddress: toAddress,
    entryPointSelector: selector,
    payload,
    nonce,
    paidFeeOnL1: feeWei,
    l1TransactionHash: log.transactionHash,
  };
}

async function orFault<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof L1Error ? faultOf(error) : error;
  }
}

function faultOf({ message }: L1Error): DevnetFault {
  return new DevnetFault(message);
}
