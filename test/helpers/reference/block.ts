import { keccak, pedersen as scurePedersen, poseidonHash, poseidonHashMany } from "@scure/starknet";
import { feltFromShortString } from "#base/primitives/index.ts";
import { naiveTrieRoot, type PairHash } from "./trie.ts";

/**
 * Block hashes and state roots computed from JSON-RPC responses, with other libraries than the
 * product's: nothing here calls `src/protocol` or `src/kernels`.
 *
 * Source: Starknet docs, "Block structure" and "Starknet state"; protocol 0.14.0 and newer.
 */

/** The same hash, computed once per pair: consecutive states share most of their nodes. */
function oncePerPair(hash: PairHash): PairHash {
  const known = new Map<string, bigint>();
  return (a, b) => {
    const pair = `${a},${b}`;
    const result = known.get(pair) ?? hash(a, b);
    known.set(pair, result);
    return result;
  };
}

const pedersen = oncePerPair((a, b) => BigInt(scurePedersen(a, b)));
const poseidon = (values: readonly bigint[]): bigint => poseidonHashMany([...values]);
// The pair hash of tries is Hades on (a, b, 2), which differs from the hash of a list of two.
const poseidonPair = oncePerPair((a, b) => poseidonHash(a, b));

type Price = { price_in_wei: string; price_in_fri: string };

/** Members of BLOCK_WITH_RECEIPTS that hashes depend on. */
export interface RpcBlock {
  readonly block_hash: string;
  readonly parent_hash: string;
  readonly block_number: number;
  readonly new_root: string;
  readonly timestamp: number;
  readonly sequencer_address: string;
  readonly l1_gas_price: Price;
  readonly l1_data_gas_price: Price;
  readonly l2_gas_price: Price;
  readonly l1_da_mode: "BLOB" | "CALLDATA";
  readonly starknet_version: string;
  readonly transactions: readonly {
    readonly transaction: { readonly signature?: readonly string[] };
    readonly receipt: RpcReceipt;
  }[];
}

interface RpcReceipt {
  readonly transaction_hash: string;
  readonly actual_fee: { readonly amount: string };
  readonly events: readonly { from_address: string; keys: string[]; data: string[] }[];
  readonly messages_sent: readonly {
    from_address: string;
    to_address: string;
    payload: string[];
  }[];
  readonly revert_reason?: string;
  readonly execution_resources: { readonly l1_gas: number; readonly l1_data_gas: number };
}

/** Members of STATE_UPDATE's diff. */
export interface RpcStateDiff {
  readonly storage_diffs: readonly {
    readonly address: string;
    readonly storage_entries: readonly { readonly key: string; readonly value: string }[];
  }[];
  readonly nonces: readonly { readonly contract_address: string; readonly nonce: string }[];
  readonly deployed_contracts: readonly { readonly address: string; readonly class_hash: string }[];
  readonly replaced_classes: readonly {
    readonly contract_address: string;
    readonly class_hash: string;
  }[];
  readonly declared_classes: readonly {
    readonly class_hash: string;
    readonly compiled_class_hash: string;
  }[];
  readonly migrated_compiled_classes: readonly {
    readonly class_hash: string;
    readonly compiled_class_hash: string;
  }[];
  readonly deprecated_declared_classes: readonly string[];
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Root of the tree of height 64 whose keys are positions. */
function indexRoot(leaves: readonly bigint[]): bigint {
  return naiveTrieRoot(new Map(leaves.map((leaf, i) => [BigInt(i), leaf])), 64, poseidonPair);
}

function receiptLeaf(receipt: RpcReceipt): bigint {
  const messages = receipt.messages_sent.flatMap(({ from_address, to_address, payload }) =>
    [from_address, to_address, payload.length, ...payload].map(BigInt),
  );
  const reason = receipt.revert_reason;
  return poseidon([
    BigInt(receipt.transaction_hash),
    BigInt(receipt.actual_fee.amount),
    poseidon([BigInt(receipt.messages_sent.length), ...messages]),
    reason === undefined ? 0n : keccak(new TextEncoder().encode(reason)),
    0n,
    BigInt(receipt.execution_resources.l1_gas),
    BigInt(receipt.execution_resources.l1_data_gas),
  ]);
}

function stateDiffFelts(diff: RpcStateDiff): { felts: bigint[]; length: number } {
  const pairs = (entries: readonly (readonly [string, string])[]): bigint[] =>
    entries
      .map(([a, b]) => [BigInt(a), BigInt(b)] as const)
      .sort(([a], [b]) => ascending(a, b))
      .flat();
  const classes = pairs([
    ...diff.deployed_contracts.map((c) => [c.address, c.class_hash] as const),
    ...diff.replaced_classes.map((c) => [c.contract_address, c.class_hash] as const),
  ]);
  const compiled = [...diff.declared_classes, ...diff.migrated_compiled_classes];
  const declared = pairs(compiled.map((c) => [c.class_hash, c.compiled_class_hash]));
  const old = diff.deprecated_declared_classes.map(BigInt).sort(ascending);
  const nonces = pairs(diff.nonces.map((n) => [n.contract_address, n.nonce]));
  const storage = diff.storage_diffs
    .filter(({ storage_entries }) => storage_entries.length > 0)
    .map(({ address, storage_entries }) => ({
      address: BigInt(address),
      cells: pairs(storage_entries.map(({ key, value }) => [key, value])),
    }))
    .sort((a, b) => ascending(a.address, b.address));
  const cellCount = storage.reduce((sum, { cells }) => sum + cells.length / 2, 0);
  const half = (list: readonly bigint[]): bigint => BigInt(list.length / 2);
  return {
    felts: [
      ...[half(classes), ...classes],
      ...[half(declared), ...declared],
      ...[BigInt(old.length), ...old],
      ...[1n, 0n],
      BigInt(storage.length),
      ...storage.flatMap(({ address, cells }) => [address, half(cells), ...cells]),
      ...[half(nonces), ...nonces],
    ],
    length: cellCount + (classes.length + declared.length + nonces.length) / 2 + old.length,
  };
}

/** Hash of a block from its receipts, its state diff and its header's plain members. */
export function referenceBlockHash(block: RpcBlock, diff: RpcStateDiff): bigint {
  const receipts = block.transactions.map(({ receipt }) => receipt);
  const transactionLeaves = block.transactions.map(({ transaction, receipt }) =>
    poseidon([BigInt(receipt.transaction_hash), ...(transaction.signature ?? []).map(BigInt)]),
  );
  const eventLeaves = receipts.flatMap(({ transaction_hash, events }) =>
    events.map(({ from_address, keys, data }) =>
      poseidon(
        [from_address, transaction_hash, keys.length, ...keys, data.length, ...data].map(BigInt),
      ),
    ),
  );
  const { felts, length } = stateDiffFelts(diff);
  const counts =
    (BigInt(block.transactions.length) << 192n) |
    (BigInt(eventLeaves.length) << 128n) |
    (BigInt(length) << 64n) |
    (block.l1_da_mode === "BLOB" ? 1n << 63n : 0n);
  const prices = [block.l1_gas_price, block.l1_data_gas_price, block.l2_gas_price].flatMap(
    ({ price_in_wei, price_in_fri }) => [BigInt(price_in_wei), BigInt(price_in_fri)],
  );
  return poseidon([
    feltFromShortString("STARKNET_BLOCK_HASH1"),
    BigInt(block.block_number),
    BigInt(block.new_root),
    BigInt(block.sequencer_address),
    BigInt(block.timestamp),
    counts,
    poseidon([feltFromShortString("STARKNET_STATE_DIFF0"), ...felts]),
    indexRoot(transactionLeaves),
    indexRoot(eventLeaves),
    indexRoot(receipts.map(receiptLeaf)),
    poseidon([feltFromShortString("STARKNET_GAS_PRICES0"), ...prices]),
    feltFromShortString(block.starknet_version),
    0n,
    BigInt(block.parent_hash),
  ]);
}

/** The whole state, built only from state diffs. */
export class ReferenceState {
  readonly #storage = new Map<bigint, Map<bigint, bigint>>();
  readonly #nonces = new Map<bigint, bigint>();
  readonly #classes = new Map<bigint, bigint>();
  readonly #compiled = new Map<bigint, bigint>();

  apply(diff: RpcStateDiff): void {
    for (const { address, storage_entries } of diff.storage_diffs) {
      const cells = this.#storage.get(BigInt(address)) ?? new Map<bigint, bigint>();
      this.#storage.set(BigInt(address), cells);
      for (const { key, value } of storage_entries) cells.set(BigInt(key), BigInt(value));
    }
    for (const { contract_address, nonce } of diff.nonces) {
      this.#nonces.set(BigInt(contract_address), BigInt(nonce));
    }
    for (const { address, class_hash } of diff.deployed_contracts) {
      this.#classes.set(BigInt(address), BigInt(class_hash));
    }
    for (const { contract_address, class_hash } of diff.replaced_classes) {
      this.#classes.set(BigInt(contract_address), BigInt(class_hash));
    }
    const compiled = [...diff.declared_classes, ...diff.migrated_compiled_classes];
    for (const { class_hash, compiled_class_hash } of compiled) {
      this.#compiled.set(BigInt(class_hash), BigInt(compiled_class_hash));
    }
  }

  root(): bigint {
    const addresses = new Set([...this.#storage.keys(), ...this.#classes.keys()]);
    const contracts = new Map<bigint, bigint>();
    for (const address of addresses) {
      const storageRoot = naiveTrieRoot(this.#storage.get(address) ?? new Map(), 251, pedersen);
      const withStorage = pedersen(this.#classes.get(address) ?? 0n, storageRoot);
      const withNonce = pedersen(withStorage, this.#nonces.get(address) ?? 0n);
      contracts.set(address, pedersen(withNonce, 0n));
    }
    const classes = new Map<bigint, bigint>();
    for (const [hash, compiled] of this.#compiled) {
      // The pair hash applies here, too: cairo-lang, `starknet/core/os/state/commitment.cairo`.
      classes.set(hash, poseidonPair(feltFromShortString("CONTRACT_CLASS_LEAF_V0"), compiled));
    }
    return poseidon([
      feltFromShortString("STARKNET_STATE_V0"),
      naiveTrieRoot(contracts, 251, pedersen),
      naiveTrieRoot(classes, 251, poseidonPair),
    ]);
  }
}
