import type { GasPrices, MessageToL1 } from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import {
  type BalanceUnit,
  type BlockTime,
  DEVNET_CODES,
  type DevnetAccess,
  DevnetFault,
  type DevnetFork,
  type DumpAccess,
  type FlushedMessages,
  type ForkTarget,
  genesisNumber,
  type MadeBlock,
  type MessagingOrder,
  type MintOutcome,
  type MockMessageToL2,
  type PredeployedAccount,
  type StateDiffOutcome,
  type StateDiffRequest,
} from "#api/rpc/index.ts";
import { type ImpersonatedAccounts, MAX_IMPERSONATED } from "#services/admission/index.ts";
import type { GasPriceChange, StorageWrite, TokenBalance } from "#services/sequencer/index.ts";
import type { ChainRevertOrder } from "../storage/revert/chain-revert.ts";
import { l1HandlerOf } from "../production/l1-message.ts";
import type { ControlClient } from "../production/control-client.ts";
import type { ForkMove } from "./fork-move.ts";
import type { FaucetClient } from "./faucet-client.ts";
import type { Postman } from "./postman.ts";
import type { Progress } from "../production/progress.ts";
import type { ReceivedTransactions } from "./received.ts";
import type { StateWrites } from "./state-writes.ts";

/** Dependencies of {@link DevnetService}. */
export interface DevnetServiceDeps {
  readonly chainId: Felt;
  readonly tokens: Readonly<Record<BalanceUnit, Felt>>;
  /** See `DevnetAccess`. */
  readonly fork: DevnetFork | null;
  readonly chain: Pick<ChainReader, "header" | "latestNumber" | "l1AcceptedNumber">;
  readonly accounts: () => readonly PredeployedAccount[];
  readonly config: () => JsonObject | Promise<JsonObject>;
  /** Unix seconds and gas prices of a block that would be opened now. */
  readonly next: () => { readonly timestamp: number; readonly gasPrices: GasPrices };
  readonly control: ControlClient;
  readonly faucet: FaucetClient;
  readonly writes: StateWrites;
  readonly progress: Progress;
  readonly received: ReceivedTransactions;
  readonly postman: Postman;
  readonly impersonated: ImpersonatedAccounts;
  readonly dumps: DumpAccess;
  /** Whether each change is sealed into a block immediately. */
  readonly sealsImmediately: () => boolean;
  /** Whether responses wait only for a transaction's execution, not for its block's acceptance. */
  readonly asyncSubmission: boolean;
  /** Makes a block the newest one; without `keepReceived` it also drops waiting transactions. */
  readonly revert: (order: ChainRevertOrder) => Promise<readonly Felt[]>;
  /** Moves a fork; `null` on a chain that is no fork. */
  readonly move: Pick<ForkMove, "to"> | null;
  /** Resets time and prices to their defaults. */
  readonly resetEnvironment: () => void;
  /** Whether messages and L1 acceptance come from a real L1, so that requests for them are refused. */
  readonly followsL1: boolean;
  /** Records that blocks up to this one are accepted on L1; resolves when all readers see it. */
  readonly acceptOnL1: (blockNumber: number) => Promise<void>;
}

/** Maximum wait of a requested block for transactions received before, in milliseconds. */
export const SETTLE_MS = 1_000;

/** Implements the developer methods through the threads that own the chain. */
export class DevnetService implements DevnetAccess {
  readonly tokens: Readonly<Record<BalanceUnit, Felt>>;
  readonly fork: DevnetFork | null;
  readonly #deps: DevnetServiceDeps;

  constructor(deps: DevnetServiceDeps) {
    this.#deps = deps;
    this.tokens = deps.tokens;
    this.fork = deps.fork;
  }

  accounts(): readonly PredeployedAccount[] {
    return this.#deps.accounts();
  }

  config(): JsonObject | Promise<JsonObject> {
    return this.#deps.config();
  }

  timestamp(): number {
    return this.#deps.next().timestamp;
  }

  gasPrices(): GasPrices {
    return this.#deps.next().gasPrices;
  }

  async mint(address: Felt, amount: bigint, unit: BalanceUnit): Promise<MintOutcome> {
    const { faucet, progress } = this.#deps;
    const outcome = await faucet.mint(this.tokens[unit], address, amount);
    await this.#shown(progress.blockOf(outcome.transactionHash));
    return outcome;
  }

  async createBlock(fresh: boolean): Promise<MadeBlock> {
    const { control } = this.#deps;
    await this.#settle();
    const { blockNumber } = await control.order({ kind: "createBlock", fresh }, "sealed");
    return this.#made(blockNumber);
  }

  async createTimedBlock(time: BlockTime): Promise<MadeBlock> {
    await this.#settle();
    const order = { ...time, seal: true } as const;
    const { blockNumber } = await this.#deps.control.order(order, "sealed");
    return this.#made(blockNumber);
  }

  async #made(blockNumber: number): Promise<MadeBlock> {
    const { chain, progress } = this.#deps;
    await progress.accepted(blockNumber);
    const header = chain.header(blockNumber);
    if (header === undefined) throw new DevnetFault(`block ${blockNumber} is gone`);
    return { number: blockNumber, hash: header.hash };
  }

  async setTime(timestamp: number): Promise<void> {
    await this.#settle();
    await this.#deps.control.order({ kind: "setTime", timestamp, seal: false }, "set");
  }

  async increaseTime(seconds: number): Promise<void> {
    await this.#settle();
    await this.#deps.control.order({ kind: "increaseTime", seconds, seal: false }, "set");
  }

  async setGasPrices(prices: GasPriceChange): Promise<void> {
    await this.#deps.control.order({ kind: "setGasPrices", prices }, "set");
  }

  async sendMessage(message: MockMessageToL2): Promise<Felt> {
    const { control, progress, chainId } = this.#deps;
    this.#requireNoL1();
    const { hash, bytes } = l1HandlerOf(message, chainId);
    const { l1TransactionHash } = message;
    const order = { kind: "message", bytes, l1TransactionHash } as const;
    const { blockNumber } = await control.order(order, "included");
    await progress.until(() => progress.receiptOf(hash));
    await this.#shown(blockNumber);
    return hash;
  }

  async loadMessaging(order: MessagingOrder): Promise<bigint> {
    this.#requireNoL1();
    return this.#deps.postman.load(order);
  }

  consumeMessage(message: MessageToL1): bigint | undefined {
    return this.#deps.postman.consume(message);
  }

  flushMessages(isDry: boolean): Promise<FlushedMessages> {
    return this.#deps.postman.flush(isDry, (message) => this.sendMessage(message));
  }

  impersonate(address: Felt): void {
    if (this.#deps.impersonated.add(address)) return;
    throw new DevnetFault(
      `${MAX_IMPERSONATED} accounts are impersonated, which is the maximum: stop one with devnet_stopImpersonateAccount, or impersonate all with devnet_autoImpersonate`,
      DEVNET_CODES.unsupported,
    );
  }

  stopImpersonating(address: Felt): void {
    this.#deps.impersonated.remove(address);
  }

  impersonateAll(isOn: boolean): void {
    this.#deps.impersonated.setAll(isOn);
  }

  async acceptOnL1(blockNumber: number): Promise<void> {
    if (this.#deps.followsL1)
      throw new DevnetFault("this chain takes its L1 acceptance from L1 only");
    await this.#deps.acceptOnL1(blockNumber);
  }

  async restart(disconnectsL1: boolean): Promise<void> {
    const { resetEnvironment, impersonated, received, postman } = this.#deps;
    if (disconnectsL1) postman.forget();
    resetEnvironment();
    impersonated.clear();
    await this.#revert({
      blockNumber: genesisNumber(this),
      keepReceived: false,
      keepL1Accepted: false,
      check: () => undefined,
    });
    received.forget();
  }

  moveFork(target: ForkTarget): Promise<void> {
    const { move } = this.#deps;
    if (move === null) {
      throw new DevnetFault(
        "fork_block: the chain is no fork, so that it cannot be moved",
        DEVNET_CODES.unsupported,
      );
    }
    return move.to(target);
  }

  async abortFrom(blockNumber: number): Promise<readonly Felt[]> {
    await this.#settle();
    const { chain } = this.#deps;
    const meant = chain.header(blockNumber)?.hash;
    const check = (): void => {
      if (meant !== undefined && chain.header(blockNumber)?.hash !== meant) {
        throw new DevnetFault(`block ${blockNumber} was reverted meanwhile`);
      }
      if (blockNumber <= (chain.l1AcceptedNumber() ?? -1)) {
        throw new DevnetFault(`block ${blockNumber} was accepted on L1 meanwhile`);
      }
    };
    return this.#revert({
      blockNumber: blockNumber - 1,
      keepReceived: true,
      keepL1Accepted: true,
      check,
    });
  }

  async #revert(order: ChainRevertOrder): Promise<readonly Felt[]> {
    const { revert, postman } = this.#deps;
    const removed = await revert(order);
    postman.revert(order.blockNumber);
    return removed;
  }

  setStorage(write: StorageWrite): Promise<void> {
    return this.#deps.writes.setStorage(write);
  }

  setBalance(balance: TokenBalance): Promise<void> {
    return this.#deps.writes.setBalance(balance);
  }

  applyStateDiff(request: StateDiffRequest): Promise<StateDiffOutcome> {
    return this.#deps.writes.apply(request);
  }

  get dumps(): DumpAccess {
    return this.#deps.dumps;
  }

  settle(): Promise<void> {
    return this.#settle();
  }

  #requireNoL1(): void {
    if (!this.#deps.followsL1) return;
    throw new DevnetFault("this chain gets its messages from L1 alone");
  }

  /** Resolves when clients can read the transaction's block as the response implies. */
  async #shown(blockNumber: number | undefined): Promise<void> {
    const { progress, sealsImmediately, asyncSubmission } = this.#deps;
    if (blockNumber === undefined || asyncSubmission || !sealsImmediately()) return;
    await progress.accepted(blockNumber);
  }

  /** Waits until all transactions acknowledged to clients are executed. */
  async #settle(): Promise<void> {
    const { received, progress } = this.#deps;
    const isExecuted = (hash: Felt): boolean => progress.receiptOf(hash) !== undefined;
    try {
      await progress.until(() => received.settle(isExecuted) || undefined, SETTLE_MS);
    } catch (error) {
      if (!(error instanceof DevnetFault)) throw error;
      // The rest was rejected, or waits for something else: the block is sealed without it.
      received.forget();
    }
  }
}
