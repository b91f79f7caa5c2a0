import { OriginError } from "#base/errors/index.ts";
import { type Felt, feltFromBytes, RecentMap } from "#base/primitives/index.ts";
import {
  decodeContractClass,
  decodeStateDiff,
  type EncodedClass,
  type ExecutableClass,
  executableClassOf,
  type StateDiff,
} from "#protocol/chain/index.ts";
import type {
  ConsumedL1Message,
  DeclaredClass,
  OriginBlock,
  OriginReader,
  StateReader,
  TransactionLocation,
} from "#engine/state/index.ts";
import { consumedMessages } from "./consumed-messages.ts";
import { CallMemory } from "./memory/call-memory.ts";
import { type OriginQuery, originQueryText, type SlotQuery } from "./query.ts";
import type { OriginChannel } from "./channel.ts";
import { decodeLocation, decodeNumber, decodeOriginBlock, decodeOriginClass } from "./values.ts";

/** Maximum number of cached state values, about 200 bytes each. */
const KEPT_VALUES = 65_536;
/** Maximum number of cached classes and of cached blocks, which may take megabytes each. */
const KEPT_CLASSES = 64;
const KEPT_BLOCKS = 8;

/** Class of the origin, or a mark that it is not declared there. */
type KnownClass = ReadClass | "undeclared";

interface ReadClass {
  readonly encoded: EncodedClass;
  readonly compiledClassHash: Felt;
}

/** Reads the origin of a fork over a channel, with a cache of this thread in front. */
export class ChannelOriginReader implements OriginReader {
  readonly forkBlock: number;
  readonly #channel: OriginChannel;
  readonly #values = new RecentMap<string, Felt>(KEPT_VALUES);
  readonly #memory = new CallMemory();
  readonly #classes = new RecentMap<string, KnownClass>(KEPT_CLASSES);
  readonly #blocks = new RecentMap<number, OriginBlock>(KEPT_BLOCKS);

  constructor(channel: OriginChannel, forkBlock: number) {
    this.#channel = channel;
    this.forkBlock = forkBlock;
  }

  stateAt(blockNumber: number): StateReader {
    const block = Math.min(blockNumber, this.forkBlock);
    const classOf = (classHash: Felt): ReadClass | undefined => this.#class(block, classHash);
    return {
      storageAt: (address, key) =>
        isUnwrittenHash(address, key, block)
          ? 0n
          : this.#value({ kind: "storage", block, address, key }),
      nonceAt: (address) => this.#value({ kind: "nonce", block, address }),
      classHashAt: (address) => this.#value({ kind: "classHash", block, address }),
      compiledClassHashOf: (classHash) => classOf(classHash)?.compiledClassHash ?? 0n,
      executableClass: (classHash): ExecutableClass | undefined => {
        const known = classOf(classHash);
        return known === undefined ? undefined : executableClassOf(known.encoded);
      },
      entering: (call) => this.#memory.enter(call),
    };
  }

  block(blockNumber: number): OriginBlock {
    const known = this.#blocks.touch(blockNumber);
    if (known !== undefined) return known;
    const block = decodeOriginBlock(this.#require({ kind: "block", block: blockNumber }));
    this.#blocks.set(blockNumber, block);
    return block;
  }

  stateDiff(blockNumber: number): StateDiff {
    return decodeStateDiff(this.#require({ kind: "stateDiff", block: blockNumber }));
  }

  numberByHash(blockHash: Felt): number | undefined {
    const bytes = this.#channel.ask({ kind: "numberByHash", blockHash });
    return bytes === null ? undefined : decodeNumber(bytes);
  }

  locate(transactionHash: Felt): TransactionLocation | undefined {
    const bytes = this.#channel.ask({ kind: "locate", transactionHash });
    return bytes === null ? undefined : decodeLocation(bytes);
  }

  declaredClass(classHash: Felt): DeclaredClass | undefined {
    const known = this.#class(this.forkBlock, classHash);
    if (known === undefined) return undefined;
    return {
      contractClass: decodeContractClass(known.encoded.contractClass),
      declaredAtBlock: this.forkBlock,
    };
  }

  l1AcceptedNumber(): number | undefined {
    const bytes = this.#channel.ask({ kind: "l1Accepted" });
    return bytes === null ? undefined : Math.min(decodeNumber(bytes), this.forkBlock);
  }

  messagesOfL1Transaction(l1TransactionHash: bigint): ConsumedL1Message[] {
    const bytes = this.#channel.ask({ kind: "messages", l1TransactionHash });
    return bytes === null ? [] : consumedMessages(bytes, (hash) => this.locate(hash));
  }

  #value(query: SlotQuery): Felt {
    const key = originQueryText(query);
    let value = this.#values.touch(key);
    if (value === undefined) {
      const valueOf = (each: SlotQuery): Felt | undefined =>
        this.#values.get(originQueryText(each));
      const expected = this.#memory.expected(query.block, valueOf);
      const others = expected.filter((each) => originQueryText(each) !== key);
      value = feltFromBytes(this.#require(query, others));
      this.#values.set(key, value);
    }
    this.#memory.note(query, value);
    return value;
  }

  #class(block: number, classHash: Felt): ReadClass | undefined {
    const key = `${block} ${classHash}`;
    let known = this.#classes.touch(key);
    if (known === undefined) {
      const bytes = this.#channel.ask({ kind: "class", block, classHash });
      known = bytes === null ? "undeclared" : readClass(bytes, classHash);
      this.#classes.set(key, known);
    }
    return known === "undeclared" ? undefined : known;
  }

  #require(query: OriginQuery, expected: readonly OriginQuery[] = []): Uint8Array {
    const bytes = this.#channel.ask(query, expected);
    if (bytes !== null) return bytes;
    const message = `the fork's origin has no ${originQueryText(query)}`;
    throw new OriginError("ORIGIN_BAD_ANSWER", message, false);
  }
}

/** Contract in which a block stores the hash of the block that is {@link HASH_DELAY} before it. */
const HASH_CONTRACT = 1n;
const HASH_DELAY = 10;

/** Whether a variable holds a hash that no block up to `block` has stored. Each local block reads one. */
function isUnwrittenHash(address: Felt, key: Felt, block: number): boolean {
  return address === HASH_CONTRACT && key > block - HASH_DELAY;
}

function readClass(bytes: Uint8Array, classHash: Felt): ReadClass {
  const { contractClass, casmJson, compiledClassHash } = decodeOriginClass(bytes);
  return { encoded: { classHash, contractClass, casmJson }, compiledClassHash };
}
