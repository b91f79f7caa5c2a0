import type { JsonPieces, JsonValue } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Event, HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import type { ProofNode } from "#protocol/trie/index.ts";

/** Writes an answer. */
export type Encoder<T> = (answer: T) => JsonValue;

/** Writes an answer that may be too long for one text. */
export type LongEncoder<T> = (answer: T) => JsonValue | JsonPieces;

/** How final a block and its transactions are. */
export type Finality = "PRE_CONFIRMED" | "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";

/** A receipt with the block that holds it; `blockHash` is absent while the block is being built. */
export interface ReceiptAnswer {
  readonly transaction: HashedTransaction;
  readonly receipt: Receipt;
  readonly finality: Finality;
  readonly blockNumber: number;
  readonly blockHash?: Felt;
}

/** Where a transaction stands. */
export type TransactionStatusAnswer =
  | {
      readonly kind: "received";
      /** It was handed to the executor and is not executed yet. */
      readonly isCandidate: boolean;
    }
  /** It was received and is not going to be included. */
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "executed"; readonly finality: Finality; readonly receipt: Receipt };

/** An event with the place where it was emitted. */
export interface EmittedEvent {
  readonly event: Event;
  readonly blockNumber: number;
  /** Absent while the block is not accepted. */
  readonly blockHash?: Felt;
  readonly transactionHash: Felt;
  /** Position of the transaction in the block, from 0. */
  readonly transactionIndex: number;
  /** Position of the event in the transaction, from 0. */
  readonly eventIndex: number;
}

/** The flags that were given. */
export type Flags<N extends string> = readonly N[];

/** Storage variables of a contract that proofs are asked for. */
export interface ContractStorageKeys {
  readonly contractAddress: Felt;
  readonly storageKeys: readonly Felt[];
}

/** What the leaf of a contract is made of; zeros where there is no contract. */
export interface ContractLeafData {
  readonly nonce: Felt;
  readonly classHash: Felt;
  readonly storageRoot: Felt;
}

/** Proofs of a block's state. Lists are in the order of the request, with all that is named twice. */
export interface StorageProofAnswer {
  readonly blockHash: Felt;
  readonly contractsRoot: Felt;
  readonly classesRoot: Felt;
  readonly classes: readonly ProofNode[];
  readonly contracts: readonly ProofNode[];
  /** Of every contract that a proof was asked for. */
  readonly leaves: readonly ContractLeafData[];
  /** Of every contract whose storage was asked for. */
  readonly storage: readonly (readonly ProofNode[])[];
}
