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
 * Polls of the newest block per listing. The other polls only request the next block: a listing costs more,
 * and a store on a file system reads the whole directory for it.
 */
const LIST_EVERY = 30;

/** Dependencies of a {@link StoreSource}. */
export interface StoreSourceDeps extends PatientStoreDeps {
  readonly chain: ExpectedChain;
  /** Newest stored block of the follower, where the search in the store starts; -1 if none. */
  readonly newestStored: number;
}

/**
 * Block source backed by the bundles that a chain's sequencer published. It has no pre-confirmed blocks, and
 * only the classes in its bundles.
 */
export class StoreSource implements BlockSource {
  readonly #store: PatientStore;
  readonly #expected: ExpectedChain;
  #chain: ChainRecord | undefined;
  #newest: BlockReference | undefined;
  /** Block from which the search for the newest one starts when none is known. */
  #from: number;
  #pollsSinceListing = 0;
  /**
   * Newest block, cached from the poll that found it until it is requested. A refused block is read again,
   * since the object may have changed.
   */
  #ahead: { readonly number: number; readonly bytes: Bytes } | undefined;

  constructor(deps: StoreSourceDeps) {
    this.#store = new PatientStore(deps);
    this.#expected = deps.chain;
    this.#from = deps.newestStored;
  }

  async head(): Promise<BlockReference | undefined> {
    const known = this.#newest;
    if (known === undefined || ++this.#pollsSinceListing >= LIST_EVERY) {
      this.#pollsSinceListing = 0;
      this.#newest = await this.#listed();
      return this.#newest;
    }
    const number = known.number + 1;
    const bytes = await this.#bundle(number);
    if (bytes === undefined) return known;
    // Several blocks may have been published since the last poll.
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

  /** Bundles contain their signature. */
  signature(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Bundles contain the classes that their block declares. */
  contractClass(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Same as {@link contractClass}. */
  compiledClass(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Only accepted blocks are published. */
  preConfirmed(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async publicKey(): Promise<Felt> {
    return (await this.#identity()).publicKey;
  }

  contractAddresses(): Promise<Pick<ChainRecord, "nativeFeeToken" | "parentFeeToken">> {
    return this.#identity();
  }

  /** Discards what is known of the store; there is no alternative source. */
  distrust(): void {
    this.#newest = undefined;
    this.#ahead = undefined;
  }

  async #identity(): Promise<ChainRecord> {
    this.#chain ??= await chainOfStore(this.#store, this.#expected);
    return this.#chain;
  }

  /** Finds the newest block by listing; searches downwards if the store has lost its newest blocks. */
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
    // Listed but missing: the later request for the block reports it.
    const hash = bytes === undefined ? UNREADABLE : hashOf(blockNumber, bytes);
    return { number: blockNumber, hash };
  }

  async #bundle(blockNumber: number): Promise<Bytes | undefined> {
    const key = blockKey(blockNumber);
    return (await this.#store.get(key, MAX_BUNDLE_BYTES, "block", blockNumber))?.bytes;
  }
}

/** Hash of a bundle whose header is unreadable or of another block; applying it reports the fault. */
const UNREADABLE = 0n;

/** Returns the block hash in a bundle's header. */
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
