import type { JsonPieces, JsonValue } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Event, HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import type { ProofNode } from "#protocol/trie/index.ts";

/** Encodes a result as JSON. */
export type Encoder<T> = (answer: T) => JsonValue;

/** Encodes a result that may be too long for one string. */
export type LongEncoder<T> = (answer: T) => JsonValue | JsonPieces;

/** Finality of a block and its transactions. */
export type Finality = "PRE_CONFIRMED" | "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1";

/** A receipt with its block; `blockHash` is absent while the block is being built. */
export interface ReceiptAnswer {
  readonly transaction: HashedTransaction;
  readonly receipt: Receipt;
  readonly finality: Finality;
  readonly blockNumber: number;
  readonly blockHash?: Felt;
}

/** Status of a transaction. */
export type TransactionStatusAnswer =
  | {
      readonly kind: "received";
      /** Whether the executor has it but has not executed it yet. */
      readonly isCandidate: boolean;
    }
  /** Received, but will not be included in a block. */
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "executed"; readonly finality: Finality; readonly receipt: Receipt };

/** Event with its position in the chain. */
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

/** Flags that a request sets, such as simulation flags; a flag that is not in the list is off. */
export type Flags<N extends string> = readonly N[];

/** Storage variables of a contract to prove. */
export interface ContractStorageKeys {
  readonly contractAddress: Felt;
  readonly storageKeys: readonly Felt[];
}

/** Preimage of a contract's leaf; all zero if the contract does not exist. */
export interface ContractLeafData {
  readonly nonce: Felt;
  readonly classHash: Felt;
  readonly storageRoot: Felt;
}

/** Proofs of a block's state. Lists are in the order of the request, including duplicates. */
export interface StorageProofAnswer {
  readonly blockHash: Felt;
  readonly contractsRoot: Felt;
  readonly classesRoot: Felt;
  readonly classes: readonly ProofNode[];
  readonly contracts: readonly ProofNode[];
  /** One per contract in the request. */
  readonly leaves: readonly ContractLeafData[];
  /** One per contract whose storage is to be proven. */
  readonly storage: readonly (readonly ProofNode[])[];
}
