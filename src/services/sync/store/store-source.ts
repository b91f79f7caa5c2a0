import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { type BlockHeader, headerOfBundle } from "#protocol/chain/index.ts";
import { blockKey, type ChainRecord, MAX_BUNDLE_BYTES } from "#services/replication/index.ts";
import type { BlockReference, BlockSource } from "../ports.ts";
import { newestBlockAfter } from "./newest-block.ts";
import { PatientStore, type PatientStoreDeps } from "./patient-store.ts";
import { chainOfStore, type ExpectedChain } from "./store-identity.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Times that the newest block is asked for of which one is a listing. The others only ask for the block
 * after it: a listing costs more, and a store that is a folder reads the whole folder for it.
 */
const LIST_EVERY = 30;

/** What a store is followed with. */
export interface StoreSourceDeps extends PatientStoreDeps {
  readonly chain: ExpectedChain;
  /** Newest stored block of the follower: the store's are looked for from there on; -1: none. */
  readonly newestStored: number;
}

/**
 * The bundles that a chain's sequencer published, as a source of blocks. It has no blocks that are not
 * accepted, and no classes beside those of its bundles.
 */
export class StoreSource implements BlockSource {
  readonly #store: PatientStore;
  readonly #expected: ExpectedChain;
  #chain: ChainRecord | undefined;
  #newest: BlockReference | undefined;
  /** From where on the newest block is looked for when nothing is known of it. */
  #from: number;
  /** Questions for the newest block since the last listing. */
  #asked = 0;
  /**
   * The newest block as it came when it was new, until it is asked for. One that was refused is read anew:
   * it may be another one by then.
   */
  #ahead: { readonly number: number; readonly bytes: Bytes } | undefined;

  constructor(deps: StoreSourceDeps) {
    this.#store = new PatientStore(deps);
    this.#expected = deps.chain;
    this.#from = deps.newestStored;
  }

  async head(): Promise<BlockReference | undefined> {
    const known = this.#newest;
    if (known === undefined || ++this.#asked >= LIST_EVERY) {
      this.#asked = 0;
      this.#newest = await this.#listed();
      return this.#newest;
    }
    const number = known.number + 1;
    const bytes = await this.#bundle(number);
    if (bytes === undefined) return known;
    // There may be more: it has been some time.
    const newest = await newestBlockAfter(this.#store, number);
    if (newest === undefined) {
      this.#ahead = { number, bytes };
      this.#newest = { number, hash: hashOf(number, bytes) };
    } else this.#newest = await this.#read(newest);
    return this.#newest;
  }

  async reference(blockNumber: number): Promise<BlockReference | undefined> {
    const bytes = await this.#bundle(blockNumber);
    return bytes && { number: blockNumber, hash: hashOf(blockNumber, bytes) };
  }

  wholeBlock(blockNumber: number): Promise<Bytes | undefined> {
    const ahead = this.#ahead;
    if (ahead?.number !== blockNumber) return this.#bundle(blockNumber);
    this.#ahead = undefined;
    return Promise.resolve(ahead.bytes);
  }

  /** A bundle has its signature in it. */
  signature(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Classes come with the block that declares them. */
  contractClass(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** As {@link contractClass}. */
  compiledClass(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** What is not accepted is not published. */
  preConfirmed(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async publicKey(): Promise<Felt> {
    return (await this.#identity()).publicKey;
  }

  contractAddresses(): Promise<Pick<ChainRecord, "nativeFeeToken" | "parentFeeToken">> {
    return this.#identity();
  }

  /** There is no other one to ask; what is known of the store is forgotten. */
  distrust(): void {
    this.#newest = undefined;
    this.#ahead = undefined;
  }

  async #identity(): Promise<ChainRecord> {
    this.#chain ??= await chainOfStore(this.#store, this.#expected);
    return this.#chain;
  }

  /**
   * The newest block by a listing. A store that lost its newest blocks has an older one: that is looked for
   * from further and further below.
   */
  async #listed(): Promise<BlockReference | undefined> {
    let from = this.#newest?.number ?? this.#from;
    for (let step = 1; ; step *= 2) {
      const newest = await newestBlockAfter(this.#store, Math.max(-1, from - 1));
      if (newest !== undefined) {
        this.#from = newest;
        const isRead = newest === this.#newest?.number;
        return isRead ? this.#newest : this.#read(newest);
      }
      if (from <= 0) return undefined;
      from = Math.max(0, from - step);
    }
  }

  async #read(blockNumber: number): Promise<BlockReference> {
    const bytes = await this.#bundle(blockNumber);
    // Listed, and not there: whoever asks for it says so.
    const hash = bytes === undefined ? UNREADABLE : hashOf(blockNumber, bytes);
    return { number: blockNumber, hash };
  }

  async #bundle(blockNumber: number): Promise<Bytes | undefined> {
    const key = blockKey(blockNumber);
    return (await this.#store.get(key, MAX_BUNDLE_BYTES, "block", blockNumber))?.bytes;
  }
}

/** Of a bundle whose header cannot be read, or is another block's: what is wrong is seen when it is taken. */
const UNREADABLE = 0n;

/** The hash that a bundle tells of its block. */
function hashOf(blockNumber: number, bytes: Bytes): Felt {
  const header = headerOf(bytes);
  return header?.number === blockNumber ? header.hash : UNREADABLE;
}

function headerOf(bytes: Bytes): BlockHeader | undefined {
  try {
    return headerOfBundle(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
