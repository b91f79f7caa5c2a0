import { L1Error } from "#base/errors/index.ts";
import type { CoreState } from "#io/l1/index.ts";
import type {
  AcceptedBlocks,
  CoreOperator,
  SettledBlock,
  StateUpdate,
} from "#services/settlement/index.ts";

/** State that an L1 core contract has before its first block. */
export const NO_STATE: CoreState = { blockNumber: -1n, blockHash: 0n, stateRoot: 0n };

/** Creates an accepted block without messages, with a hash and root of its number. */
export function plainBlock(number: number): SettledBlock {
  return {
    number,
    hash: 0x100n + BigInt(number),
    parentHash: number === 0 ? 0n : 0xffn + BigInt(number),
    stateRoot: 0x200n + BigInt(number),
    messagesToL1: [],
    messagesToL2: [],
  };
}

/** Accepted blocks in memory, for a settler. */
export class FakeBlocks implements AcceptedBlocks {
  readonly blocks: SettledBlock[];

  constructor(blocks: readonly SettledBlock[]) {
    this.blocks = [...blocks];
  }

  newest(): Promise<number> {
    return Promise.resolve(this.blocks.length - 1);
  }

  block(blockNumber: number): Promise<SettledBlock> {
    const block = this.blocks[blockNumber];
    if (block === undefined) throw new RangeError(`there is no block ${blockNumber}`);
    return Promise.resolve(block);
  }
}

/** L1 core contract in memory, for a settler: it accepts an update if it continues its state. */
export class FakeCore implements CoreOperator {
  current: CoreState = NO_STATE;
  readonly waiting = new Set<bigint>();
  readonly posted: StateUpdate[] = [];
  /** Runs before a post, and may make it fail. */
  beforePost: () => void = () => undefined;
  /** Whether it accepts posts. */
  takes = true;

  rules() {
    return Promise.resolve({ programHash: 7n, configHash: 8n });
  }

  state(): Promise<CoreState> {
    return Promise.resolve(this.current);
  }

  missingMessages(hashes: readonly bigint[]): Promise<readonly bigint[]> {
    return Promise.resolve(hashes.filter((hash) => !this.waiting.has(hash)));
  }

  async post(update: StateUpdate): Promise<void> {
    this.beforePost();
    await Promise.resolve();
    const [previousRoot, stateRoot = 0n, , blockNumber = 0n, previousHash, blockHash = 0n] =
      update.programOutput;
    if (previousRoot !== this.current.stateRoot || previousHash !== this.current.blockHash) {
      throw new L1Error("L1_REFUSED", "INVALID_PREVIOUS_ROOT", false);
    }
    this.posted.push(update);
    if (this.takes) this.current = { stateRoot, blockNumber, blockHash };
  }
}
