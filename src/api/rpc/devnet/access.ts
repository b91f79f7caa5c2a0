import type { GasPrices, MessageToL1 } from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { GasPriceChange, StorageWrite } from "#services/sequencer/index.ts";
import type { DumpAccess } from "./dump/access.ts";

/** Unit of an amount: WEI is of the ether token, FRI of the native one. */
export type BalanceUnit = "WEI" | "FRI";

/** A funded account of the genesis block with its key. */
export interface PredeployedAccount {
  readonly address: Felt;
  readonly publicKey: Felt;
  readonly privateKey: Felt;
}

/** Tokens that were made, by a transaction that may have failed. */
export interface MintOutcome {
  readonly transactionHash: Felt;
  /** Why nothing was made; `null` when it was. */
  readonly revertReason: string | null;
}

/** A block that was made on request. */
export interface MadeBlock {
  readonly number: number;
  readonly hash: Felt;
}

/** The time of a block: a moment in Unix seconds, or so much later than it would be. */
export type BlockTime =
  | { readonly kind: "setTime"; readonly timestamp: number }
  | { readonly kind: "increaseTime"; readonly seconds: number };

/** A message from L1 that no L1 has sent. */
export interface MockMessageToL2 {
  /** 20 bytes. */
  readonly l1ContractAddress: bigint;
  readonly l2ContractAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly payload: readonly Felt[];
  readonly nonce: Felt;
  /** In wei. */
  readonly paidFeeOnL1: bigint;
  /** 256 bits; `null` when it was not given. */
  readonly l1TransactionHash: bigint | null;
}

/** Where messages of a real L1 come from and go to. */
export interface MessagingOrder {
  /** Of L1's JSON-RPC, with the scheme `http` or `https`. */
  readonly url: string;
  /** The messaging contract; `undefined`: one is deployed. */
  readonly address: bigint | undefined;
  /**
   * Of the account that deploys and sends: `0x` and 64 hex digits. `undefined`: that of the first account
   * of Anvil and Hardhat.
   */
  readonly privateKey: `0x${string}` | undefined;
}

/** What went from one layer to the other. */
export interface FlushedMessages {
  readonly toL1: readonly MessageToL1[];
  /** In their order, those too that were not executed. */
  readonly toL2: readonly MockMessageToL2[];
  /** Hashes of the transactions that executed them. */
  readonly transactions: readonly Felt[];
  /** Scheme, host and port of L1; `undefined`: L1 is only imitated. */
  readonly provider: string | undefined;
}

/**
 * What the methods for developers do. Every change settles when all readers see it; each may end with
 * a `DevnetFault` that says why nothing was done.
 */
export interface DevnetAccess {
  /** Contracts of the tokens by unit. */
  readonly tokens: Readonly<Record<BalanceUnit, Felt>>;
  /** The funded accounts that the chain has. */
  accounts(): readonly PredeployedAccount[];
  /** Settings as starknet-devnet's `getConfig` shows them. */
  config(): JsonObject;
  /** Unix seconds that a block would have that is opened now. */
  timestamp(): number;
  /** Prices that a block would have that is opened now. */
  gasPrices(): GasPrices;
  /** Makes tokens by a transaction of the chain's faucet; settles when it is executed. */
  mint(address: Felt, amount: bigint, unit: BalanceUnit): Promise<MintOutcome>;
  /**
   * Seals a block with everything that was received before, an empty one too; settles when it is
   * accepted.
   *
   * @param fresh - the block is to be opened after this call
   */
  createBlock(fresh: boolean): Promise<MadeBlock>;
  /**
   * The block that is being built, else the next one, gets this timestamp (Unix seconds) with everything
   * that was received before; time goes on from there.
   */
  setTime(timestamp: number): Promise<void>;
  /** Puts the clock of block building forward, as {@link setTime}. */
  increaseTime(seconds: number): Promise<void>;
  /** As {@link setTime} or {@link increaseTime}; that block is sealed. Settles when it is accepted. */
  createTimedBlock(time: BlockTime): Promise<MadeBlock>;
  /** Sets prices of blocks that are opened from now on, until the node ends. */
  setGasPrices(prices: GasPriceChange): Promise<void>;
  /**
   * Takes an account's transactions with any signature, until the node ends; readers of every thread
   * know.
   *
   * @throws {DevnetFault} when there are too many already
   */
  impersonate(address: Felt): void;
  /** Looks at an account's signatures again; what was received before stays as it is. */
  stopImpersonating(address: Felt): void;
  /** Takes the transactions of all accounts with any signature, or again those alone that were named. */
  impersonateAll(isOn: boolean): void;
  /**
   * Messages go through a messaging contract of an L1 from now on, until the node ends.
   *
   * @returns its address
   */
  loadMessaging(order: MessagingOrder): Promise<bigint>;
  /** Executes a message in a block. @returns the hash of its transaction */
  sendMessage(message: MockMessageToL2): Promise<Felt>;
  /**
   * Consumes a message of an accepted block on an L1 that is only imitated: each as often as it was
   * sent.
   *
   * @returns the message's hash on L1; `undefined` when there is none left
   */
  consumeMessage(message: MessageToL1): bigint | undefined;
  /**
   * Executes what L1 has sent, where one is loaded, and hands to it what accepted blocks have sent there
   * and no call before, both in their order.
   *
   * @param isDry - nothing is executed or sent: the next call tells the same messages to L1
   */
  flushMessages(isDry: boolean): Promise<FlushedMessages>;
  /** Makes a block and all before it accepted on L1. */
  acceptOnL1(blockNumber: number): Promise<void>;
  /**
   * Reverts the chain to its genesis; nothing that was received or set since stays.
   *
   * @param forgetsL1 - L1 is only imitated again
   */
  restart(forgetsL1: boolean): Promise<void>;
  /** Writes a storage variable of a contract; settles when all readers see it. */
  setStorage(write: StorageWrite): Promise<void>;
  /** Settles when what clients know to be received is executed, or waits for something else. */
  settle(): Promise<void>;
  /** Dumping and loading. */
  readonly dumps: DumpAccess;
  /**
   * Reverts a block and all after it, and what is being built.
   *
   * @returns the hashes of those that were accepted, the newest first
   */
  abortFrom(blockNumber: number): Promise<readonly Felt[]>;
}
