import type { GasPrices, MessageToL1 } from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type {
  ChangeRefusal,
  ClassChange,
  GasPriceChange,
  StorageWrite,
  TokenBalance,
} from "#services/sequencer/index.ts";
import type { DumpAccess } from "./dump/access.ts";
import type { StateDiffRequest } from "./supplied-classes.ts";

/** Unit of an amount: WEI for the ether token, FRI for the native one. */
export type BalanceUnit = "WEI" | "FRI";

/** Funded account of the genesis block, with its key. */
export interface PredeployedAccount {
  readonly address: Felt;
  readonly publicKey: Felt;
  readonly privateKey: Felt;
}

/** Result of minting tokens, by a transaction that may have failed. */
export interface MintOutcome {
  readonly transactionHash: Felt;
  /** Reason why the transaction failed; `null` if it succeeded. */
  readonly revertReason: string | null;
}

/** Block that was created on request. */
export interface MadeBlock {
  readonly number: number;
  readonly hash: Felt;
}

/** Time of a block: absolute in Unix seconds, or relative to the time that it would have. */
export type BlockTime =
  | { readonly kind: "setTime"; readonly timestamp: number }
  | { readonly kind: "increaseTime"; readonly seconds: number };

/** Message from an imitated L1. */
export interface MockMessageToL2 {
  /** 20 bytes. */
  readonly l1ContractAddress: bigint;
  readonly l2ContractAddress: Felt;
  readonly entryPointSelector: Felt;
  readonly payload: readonly Felt[];
  readonly nonce: Felt;
  /** In wei. */
  readonly paidFeeOnL1: bigint;
  /** 256 bits; `null` if not specified. */
  readonly l1TransactionHash: bigint | null;
}

/** Connection to a real L1 that messages are exchanged with. */
export interface MessagingOrder {
  /** URL of L1's JSON-RPC, with the scheme `http` or `https`. */
  readonly url: string;
  /** Messaging contract; `undefined` deploys one. */
  readonly address: bigint | undefined;
  /**
   * Key of the account that deploys and sends: `0x` and 64 hex digits. `undefined` uses the first account of
   * Anvil and Hardhat.
   */
  readonly privateKey: `0x${string}` | undefined;
}

/** Messages passed between the layers by one flush. */
export interface FlushedMessages {
  readonly toL1: readonly MessageToL1[];
  /** In order, including unexecuted ones. */
  readonly toL2: readonly MockMessageToL2[];
  /** Hashes of the transactions that executed them. */
  readonly transactions: readonly Felt[];
  /** Scheme, host and port of L1; `undefined` if L1 is imitated. */
  readonly provider: string | undefined;
}

/** Fork that a development chain is. */
export interface DevnetFork {
  /** Chain id of the origin, as text. */
  readonly chainId: string;
  /** Block of the origin that the chain continues. */
  readonly blockNumber: number;
  readonly blockHash: Felt;
}

/** Block of its origin that a fork moves to. */
export type ForkTarget =
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "hash"; readonly hash: Felt }
  | { readonly kind: "latest" };

/** Hashes of a class that a state diff supplied; the compiled class hash of a Cairo 0 class is 0. */
export type AppliedClass = Pick<ClassChange["encoded"], "classHash"> &
  Pick<ClassChange, "compiledClassHash">;

/** Outcome of a change of the state. */
export type StateDiffOutcome =
  | { readonly kind: "applied"; readonly classes: readonly AppliedClass[] }
  | ChangeRefusal
  /** The definition of a supplied class is wrong. */
  | (Omit<ChangeRefusal, "code"> & { readonly code: "definition" });

/**
 * Operations of the developer methods. Each change settles when all readers see it, and may reject with a
 * `DevnetFault` that contains the reason.
 */
export interface DevnetAccess {
  readonly tokens: Readonly<Record<BalanceUnit, Felt>>;
  /** `null` for a chain that starts with block 0. */
  readonly fork: DevnetFork | null;
  accounts(): readonly PredeployedAccount[];
  /**
   * Returns the settings as in starknet-devnet's `getConfig`. On a fork, the classes of its fee tokens are `null` if
   * they were never read, and its origin does not return them soon.
   */
  config(): JsonObject | Promise<JsonObject>;
  /** Returns the timestamp, in Unix seconds, of a block that would be opened now. */
  timestamp(): number;
  /** Returns the gas prices of a block that would be opened now. */
  gasPrices(): GasPrices;
  /** Mints tokens with a transaction of the chain's faucet; settles when it is executed. */
  mint(address: Felt, amount: bigint, unit: BalanceUnit): Promise<MintOutcome>;
  /**
   * Seals a block with everything received before the call, even if empty; settles when it is accepted.
   *
   * @param fresh - the block must be opened after this call
   */
  createBlock(fresh: boolean): Promise<MadeBlock>;
  /**
   * Sets the timestamp, in Unix seconds, of the block being built, or else of the next one, which contains
   * everything received before the call. Time continues from there.
   */
  setTime(timestamp: number): Promise<void>;
  /** Advances the clock of block building, as {@link setTime}. */
  increaseTime(seconds: number): Promise<void>;
  /**
   * Sets or advances the time as {@link setTime} or {@link increaseTime}, then seals that block. Settles when
   * it is accepted.
   */
  createTimedBlock(time: BlockTime): Promise<MadeBlock>;
  /** Sets gas prices of blocks opened from now on, until the node stops. */
  setGasPrices(prices: GasPriceChange): Promise<void>;
  /**
   * Accepts an account's transactions with any signature, until the node stops; effective for readers on
   * every thread.
   *
   * @throws {DevnetFault} when too many accounts are impersonated already
   */
  impersonate(address: Felt): void;
  /** Validates an account's signatures again; transactions received before are not affected. */
  stopImpersonating(address: Felt): void;
  /** Accepts the transactions of all accounts with any signature; if off, only of impersonated accounts. */
  impersonateAll(isOn: boolean): void;
  /**
   * Routes messages through a messaging contract on an L1, until the node stops.
   *
   * @returns its address
   */
  loadMessaging(order: MessagingOrder): Promise<bigint>;
  /** Executes a message in a block. @returns the hash of its transaction */
  sendMessage(message: MockMessageToL2): Promise<Felt>;
  /**
   * Consumes a message of an accepted block on an imitated L1; a message can be consumed as often as it was
   * sent.
   *
   * @returns the message's hash on L1; `undefined` if none is left
   */
  consumeMessage(message: MessageToL1): bigint | undefined;
  /**
   * Executes the messages that a loaded L1 has sent, and sends it the messages of accepted blocks that no
   * earlier call has sent; both in order.
   *
   * @param isDry - executes and sends nothing: the next call returns the same messages to L1
   */
  flushMessages(isDry: boolean): Promise<FlushedMessages>;
  /** Marks a block and all before it as accepted on L1. */
  acceptOnL1(blockNumber: number): Promise<void>;
  /**
   * Reverts the chain to its genesis; everything received or set since is discarded.
   *
   * @param disconnectsL1 - disconnects a loaded L1: it is imitated again
   */
  restart(disconnectsL1: boolean): Promise<void>;
  /**
   * Replaces the chain of a fork by one that continues another block of its origin, completely or not at all;
   * everything received or set since is discarded. WebSocket connections end.
   *
   * @throws {DevnetFault} when the chain is no fork, is being moved already, or cannot continue the block
   * @throws {OriginError} when the origin does not return the block
   */
  moveFork(target: ForkTarget): Promise<void>;
  /** Writes a storage variable of a contract; settles when all readers see it. */
  setStorage(write: StorageWrite): Promise<void>;
  /**
   * Sets an account's balance in a token; settles as {@link setStorage}. The total supply stays, and there is
   * no event.
   *
   * @throws {DevnetFault} when no storage variable decides the balance: it names those that were tried
   */
  setBalance(balance: TokenBalance): Promise<void>;
  /** Changes the state without a transaction, completely or not at all; settles as {@link setStorage}. */
  applyStateDiff(request: StateDiffRequest): Promise<StateDiffOutcome>;
  /**
   * Settles when every transaction that was acknowledged to a client is executed, or waits for another
   * condition.
   */
  settle(): Promise<void>;
  readonly dumps: DumpAccess;
  /**
   * Reverts a block and all after it, including the block being built.
   *
   * @returns the hashes of the accepted ones, newest first
   */
  abortFrom(blockNumber: number): Promise<readonly Felt[]>;
}
