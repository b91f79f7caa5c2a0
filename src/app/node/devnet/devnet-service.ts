import {
  encodeTransaction,
  type GasPrices,
  type L1Handler,
  type MessageToL1,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import {
  type BalanceUnit,
  type DevnetAccess,
  DevnetFault,
  type MadeBlock,
  type MintOutcome,
  type MockMessageToL2,
  type PredeployedAccount,
} from "#api/rpc/index.ts";
import type { GasPriceChange } from "#services/sequencer/index.ts";
import type { ControlClient } from "./control-client.ts";
import type { FaucetClient } from "./faucet-client.ts";
import type { MockL1 } from "./mock-l1.ts";
import type { Progress } from "./progress.ts";
import type { ReceivedTransactions } from "./received.ts";

/** What the service works with. */
export interface DevnetServiceParts {
  readonly chainId: Felt;
  readonly tokens: Readonly<Record<BalanceUnit, Felt>>;
  readonly chain: Pick<ChainReader, "header">;
  readonly accounts: () => readonly PredeployedAccount[];
  readonly config: () => JsonObject;
  /** Unix seconds and prices that a block would have that is opened now. */
  readonly next: () => { readonly timestamp: number; readonly gasPrices: GasPrices };
  readonly control: ControlClient;
  readonly faucet: FaucetClient;
  readonly progress: Progress;
  readonly received: ReceivedTransactions;
  readonly mockL1: MockL1;
  /** Records that blocks up to this one are accepted on L1; settles when all readers see it. */
  readonly acceptOnL1: (blockNumber: number) => Promise<void>;
}

/** How long a block that is made on request waits for what was received before. */
export const SETTLE_MS = 1_000;

/** What developers may do with the chain, by way of the threads that own it. */
export class DevnetService implements DevnetAccess {
  readonly tokens: Readonly<Record<BalanceUnit, Felt>>;
  readonly #parts: DevnetServiceParts;

  constructor(parts: DevnetServiceParts) {
    this.#parts = parts;
    this.tokens = parts.tokens;
  }

  accounts(): readonly PredeployedAccount[] {
    return this.#parts.accounts();
  }

  config(): JsonObject {
    return this.#parts.config();
  }

  timestamp(): number {
    return this.#parts.next().timestamp;
  }

  gasPrices(): GasPrices {
    return this.#parts.next().gasPrices;
  }

  mint(address: Felt, amount: bigint, unit: BalanceUnit): Promise<MintOutcome> {
    return this.#parts.faucet.mint(this.tokens[unit], address, amount);
  }

  async createBlock(fresh: boolean): Promise<MadeBlock> {
    const { chain, control, progress } = this.#parts;
    await this.#settle();
    const { blockNumber } = await control.order({ kind: "createBlock", fresh }, "sealed");
    await progress.accepted(blockNumber);
    const header = chain.header(blockNumber);
    if (header === undefined) throw new DevnetFault(`block ${blockNumber} is gone`);
    return { number: blockNumber, hash: header.hash };
  }

  async setTime(timestamp: number): Promise<void> {
    await this.#parts.control.order({ kind: "setTime", timestamp }, "set");
  }

  async increaseTime(seconds: number): Promise<void> {
    await this.#parts.control.order({ kind: "increaseTime", seconds }, "set");
  }

  async setGasPrices(prices: GasPriceChange): Promise<void> {
    await this.#parts.control.order({ kind: "setGasPrices", prices }, "set");
  }

  async sendMessage(message: MockMessageToL2): Promise<Felt> {
    const { control, progress, chainId } = this.#parts;
    const transaction: L1Handler = {
      type: "L1_HANDLER",
      version: 0,
      nonce: message.nonce,
      contractAddress: message.l2ContractAddress,
      entryPointSelector: message.entryPointSelector,
      calldata: [message.l1ContractAddress, ...message.payload],
      paidFeeOnL1: message.paidFeeOnL1,
    };
    const hash = transactionHash(transaction, chainId);
    const bytes = encodeTransaction({ hash, transaction });
    const { l1TransactionHash } = message;
    await control.order({ kind: "message", bytes, l1TransactionHash }, "included");
    await progress.until(() => progress.receiptOf(hash));
    return hash;
  }

  consumeMessage(message: MessageToL1): bigint | undefined {
    return this.#parts.mockL1.consume(message);
  }

  flushMessages(isDry: boolean): readonly MessageToL1[] {
    return this.#parts.mockL1.flush(isDry);
  }

  acceptOnL1(blockNumber: number): Promise<void> {
    return this.#parts.acceptOnL1(blockNumber);
  }

  /** Waits until what clients know to be received is executed. */
  async #settle(): Promise<void> {
    const { received, progress } = this.#parts;
    const isExecuted = (hash: Felt): boolean => progress.receiptOf(hash) !== undefined;
    try {
      await progress.until(() => received.settle(isExecuted) || undefined, SETTLE_MS);
    } catch (error) {
      if (!(error instanceof DevnetFault)) throw error;
      // The rest was rejected, or waits for something else: the block is made without it.
      received.forget();
    }
  }
}
