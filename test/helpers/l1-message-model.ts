import { invariant, L1Error } from "#base/errors/index.ts";
import type {
  CoreContractLog,
  L1Block,
  L1Finality,
  L1Source,
  L1View,
  MessageLog,
  MessageState,
} from "#io/l1/index.ts";
import { l1MessageHash } from "#protocol/chain/index.ts";

/** Operation of a model block on the core contract. */
export type L1Operation =
  | { readonly kind: "send"; readonly payload: readonly bigint[] }
  /** Starts to cancel a message of the contract. */
  | { readonly kind: "cancel"; readonly nonce: bigint }
  /** Removes a message, canceled or consumed. */
  | { readonly kind: "remove"; readonly nonce: bigint };

interface ModelBlock extends L1Block {
  readonly operations: readonly L1Operation[];
}

/** State of the core contract after a block. */
interface ContractState {
  readonly logs: readonly MessageLog[];
  readonly messageStates: ReadonlyMap<bigint, MessageState>;
}

const SENDER = 0xe7n;
/** Address of the L2 contract that receives the messages of {@link ModelL1}. */
export const RECIPIENT = 0xc0de_5n;
export const SELECTOR = 0x5e1n;
const GONE: MessageState = { feePlusOne: 0n, cancellationStarted: 0n };

/** L1 as a list of blocks, with a core contract whose state follows from them. */
export class ModelL1 implements Pick<L1Source, "blockBefore" | "stateReports" | "view"> {
  #blocks: ModelBlock[] = [];
  #salt = 0n;
  readonly #states = new Map<bigint, ContractState>();
  /** Whether every request fails. */
  isDown = false;
  /** Nonces of logs that responses omit. */
  readonly omitted = new Set<bigint>();
  /** Number of blocks by which responses lag. */
  staleBy = 0;
  /** Number of requests for logs. */
  logReads = 0;

  constructor() {
    this.mine();
  }

  get head(): number {
    return this.#blocks.length - 1;
  }

  mine(...operations: L1Operation[]): void {
    const parent = this.#blocks.at(-1);
    this.#salt++;
    this.#blocks.push({
      number: this.#blocks.length,
      hash: this.#salt,
      parentHash: parent?.hash ?? 0n,
      timestamp: 1000 + this.#blocks.length,
      operations,
    });
  }

  mineEmpty(count: number): void {
    for (let i = 0; i < count; i++) this.mine();
  }

  /** Reverts the newest blocks and adds others, with operations changed by `change`. */
  reorganize(
    depth: number,
    change: (operations: readonly L1Operation[]) => readonly L1Operation[] = (same) => same,
  ): void {
    const gone = this.#blocks.splice(Math.max(1, this.#blocks.length - depth));
    const operations = change(gone.flatMap((block) => block.operations));
    this.mine(...operations);
    this.mineEmpty(gone.length);
  }

  /** Messages of the newest block, and their states. */
  contract(): ContractState {
    return this.#stateAfter(this.#blocks);
  }

  /** Reports no states: this L1 has no state that could differ. */
  stateReports(): Promise<[]> {
    return Promise.resolve([]);
  }

  blockBefore(): Promise<number | undefined> {
    return Promise.resolve(undefined);
  }

  async view<T>(finality: L1Finality, read: (view: L1View) => Promise<T>): Promise<T> {
    await this.#answer();
    const blocks = this.#blocks.slice(0, this.#blocks.length - this.staleBy);
    const head = blocks.at(-1) as ModelBlock;
    const depth = typeof finality === "number" ? finality : 2;
    const block = blocks[Math.max(0, head.number - depth)] as ModelBlock;
    const result = await read(this.#viewOf(blocks, head, block));
    await this.#answer();
    if (this.#blocks[block.number]?.hash !== block.hash) {
      throw new L1Error("L1_REORGANIZED", "the block is gone", true);
    }
    return result;
  }

  #stateAfter(blocks: readonly ModelBlock[]): ContractState {
    const hash = blocks.at(-1)?.hash ?? 0n;
    const known = this.#states.get(hash);
    if (known !== undefined) return known;
    const state = contractAfter(blocks);
    this.#states.set(hash, state);
    return state;
  }

  #viewOf(blocks: readonly ModelBlock[], head: L1Block, block: L1Block): L1View {
    const state = this.#stateAfter(blocks.slice(0, block.number + 1));
    const answer = async <T>(value: () => T): Promise<T> => {
      await this.#answer();
      return value();
    };
    return {
      head,
      block,
      logs: (from, to) =>
        answer((): readonly CoreContractLog[] => {
          this.logReads++;
          invariant(to <= block.number, "logs of blocks that do not count yet");
          return state.logs.filter(
            ({ l1Block: { number }, nonce }) =>
              number >= from && number <= to && !this.omitted.has(nonce),
          );
        }),
      hashOf: (number) => answer(() => blocks[number]?.hash),
      coreState: () => answer(() => ({ stateRoot: 0n, blockNumber: -1n, blockHash: 0n })),
      nextMessageNonce: () => answer(() => BigInt(state.logs.length)),
      messages: (hashes) =>
        answer(() => hashes.map((hash) => state.messageStates.get(hash) ?? GONE)),
    };
  }

  async #answer(): Promise<void> {
    await Promise.resolve();
    if (this.isDown) throw new L1Error("L1_UNREACHABLE", "it does not answer", true);
  }
}

function contractAfter(blocks: readonly ModelBlock[]): ContractState {
  const logs: MessageLog[] = [];
  const messageStates = new Map<bigint, MessageState>();
  for (const { operations, ...l1Block } of blocks) {
    operations.forEach((operation, logIndex) => {
      if (operation.kind === "send") {
        const log = messageLog(BigInt(logs.length), operation.payload, l1Block, logIndex);
        logs.push(log);
        messageStates.set(messageHashOf(log), { feePlusOne: 2n, cancellationStarted: 0n });
        return;
      }
      const log = logs[Number(operation.nonce)];
      if (log === undefined) return;
      const hash = messageHashOf(log);
      const state = messageStates.get(hash);
      if (state === undefined || state.feePlusOne === 0n) return;
      messageStates.set(
        hash,
        operation.kind === "remove"
          ? GONE
          : { ...state, cancellationStarted: BigInt(l1Block.timestamp) },
      );
    });
  }
  return { logs, messageStates };
}

/** A message from L1; pairs of messages of a block share a transaction. */
export function messageLog(
  nonce: bigint,
  payload: readonly bigint[],
  { number, hash }: { readonly number: number; readonly hash: bigint },
  logIndex = 0,
): MessageLog {
  return {
    kind: "message_to_l2",
    l1Block: { number, hash },
    logIndex,
    transactionHash: hash * 1000n + BigInt(Math.floor(logIndex / 2)),
    fromAddress: SENDER,
    toAddress: RECIPIENT,
    selector: SELECTOR,
    payload,
    nonce,
    feeWei: 1n,
  };
}

/** Hash of a message in the core contract. */
export function messageHashOf({ nonce, payload }: Pick<MessageLog, "nonce" | "payload">): bigint {
  return l1MessageHash({
    contractAddress: RECIPIENT,
    entryPointSelector: SELECTOR,
    nonce,
    calldata: [SENDER, ...payload],
  });
}
