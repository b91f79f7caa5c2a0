import { type JsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import {
  type BlockHeader,
  blockHash,
  computeCommitments,
  contractAddress,
  type HashedTransaction,
  type Receipt,
  signBlock,
  type StateDiff,
  type Transaction,
  transactionHash,
} from "#protocol/chain/index.ts";
import { publicKey } from "#protocol/crypto/index.ts";
import { writeGatewayWholeBlock } from "#io/feeder/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import { readFileSync } from "node:fs";
import { chargedReceipt } from "./charged-receipt.ts";
import { EVERY_TRANSACTION } from "./sample-chain.ts";
import { fixturePath } from "./shared.ts";

/** JSON object of a block that a test may change in place. */
export type Changeable = Record<string, unknown>;

/**
 * Gateway response for a block, with the chain, number and key that a follower checks it against.
 */
export interface SampleBlock {
  readonly name: string;
  readonly chainId: Felt;
  readonly number: number;
  readonly publicKey: Felt;
  /** Response to get_state_update with block and signature; a new object each time. */
  json(): Changeable;
}

const MAINNET = feltFromShortString("SN_MAIN");
const INTEGRATION = feltFromShortString("SN_INTEGRATION_SEPOLIA");
const INTEGRATION_KEY = 0x4e4856eb36dbd5f4a7dca29f7bb5232974ef1fb7eb5b597c58077174c294da1n;

/** Signs blocks without a signature in the fixtures. */
const TEST_KEY = 0x1234_5678_9abcn;

const NO_CHANGES = {
  storage_diffs: {},
  nonces: {},
  deployed_contracts: [],
  old_declared_contracts: [],
  declared_classes: [],
  replaced_classes: [],
};

function readJson(path: string): Changeable {
  const text = readFileSync(fixturePath("gateway-blocks", ...path.split("/")), "utf8");
  return parseJson(text) as Changeable;
}

interface FixtureFiles {
  readonly block: string;
  readonly chainId: Felt;
  /** Absent: the block gets an empty diff, which no hash covers before 0.13.2. */
  readonly update?: string;
  /** Absent: the block is signed with the test's key. */
  readonly signature?: string;
}

const FIXTURES: readonly FixtureFiles[] = [
  { block: "pre_0.7.0/block/mainnet_genesis.json", chainId: MAINNET },
  { block: "0.7.0/block/mainnet_2240.json", chainId: MAINNET },
  { block: "0.8.0/block/mainnet_2500.json", chainId: MAINNET },
  { block: "0.9.0/block/mainnet_2800.json", chainId: MAINNET },
  { block: "0.11.1/block/mainnet_65000.json", chainId: MAINNET },
  {
    block: "0.13.1/state_update_with_block/sepolia_integration_9703.json",
    chainId: INTEGRATION,
  },
  {
    block: "0.13.2/block/sepolia_integration_35748.json",
    update: "0.13.2/state_update/sepolia_integration_35748.json",
    signature: "0.13.2/signature/sepolia_integration_35748.json",
    chainId: INTEGRATION,
  },
  {
    block: "0.13.4/block/sepolia_integration_63881.json",
    update: "0.13.4/state_update/sepolia_integration_63881.json",
    chainId: INTEGRATION,
  },
];

/**
 * Blocks of the public networks, one of each era; reading them requires the fixtures
 * `gateway-blocks`.
 */
export const NETWORK_BLOCKS: readonly SampleBlock[] = FIXTURES.map((files) => ({
  name: files.block,
  chainId: files.chainId,
  number: Number(/(\d+)\.json$/u.exec(files.block)?.[1] ?? 0),
  publicKey: files.signature === undefined ? publicKey(TEST_KEY) : INTEGRATION_KEY,
  json: () => wholeOf(files),
}));

function wholeOf({ block: path, update, signature }: FixtureFiles): Changeable {
  const file = readJson(path);
  const block = (file["block"] ?? file) as Changeable;
  const ownUpdate = update === undefined ? undefined : readJson(update);
  return {
    block,
    state_update: ownUpdate ??
      file["state_update"] ?? {
        block_hash: block["block_hash"],
        new_root: block["state_root"],
        old_root: "0x0",
        state_diff: NO_CHANGES,
      },
    signature:
      signature === undefined
        ? signatureOf(BigInt(block["block_hash"] as string))
        : readJson(signature)["signature"],
  };
}

/** Signature with the test's key, over the hash alone: valid in every version. */
function signatureOf(hash: Felt): readonly string[] {
  const signed = { hash, stateDiffCommitment: 0n, protocolVersion: "0.13.2" };
  const { r, s } = signBlock(TEST_KEY, signed);
  return [hexFromFelt(r), hexFromFelt(s)];
}

const CHAIN = feltFromShortString("SN_TEST");
const BLOCK = 77;

/** Settings of a generated block. */
export interface OwnParts {
  readonly chainId?: Felt;
  readonly number?: number;
  readonly transactions?: readonly Transaction[];
  readonly stateDiff?: Partial<StateDiff>;
}

/**
 * A generated block with every kind of transaction, events, messages, a revert, and every kind of
 * state change.
 */
export function ownBlock(protocolVersion: string, parts: OwnParts = {}): SampleBlock {
  const { chainId = CHAIN, number = BLOCK } = parts;
  const whole = stringifyJson(wholeOwnBlock(protocolVersion, { ...parts, chainId, number }));
  return {
    name: `own block of ${protocolVersion}`,
    chainId,
    number,
    publicKey: publicKey(TEST_KEY),
    json: () => parseJson(whole) as Changeable,
  };
}

function wholeOwnBlock(
  protocolVersion: string,
  { chainId, number, ...parts }: OwnParts & { readonly chainId: Felt; readonly number: number },
): JsonObject {
  const transactions = (parts.transactions ?? EVERY_TRANSACTION).map(
    (transaction): HashedTransaction => {
      const fitting = withAddress(transaction);
      return { hash: transactionHash(fitting, chainId), transaction: fitting };
    },
  );
  const receipts = transactions.map((hashed, i) => receiptOf(hashed, i, protocolVersion));
  const stateDiff = { ...DIFF, ...parts.stateDiff };
  const body = { transactions, receipts, stateDiff };
  const unhashed = {
    number,
    timestamp: 1_700_000_000,
    sequencerAddress: 0x5e9n,
    ...BLOCK_PARTS,
    protocolVersion,
    parentHash: 0x76n,
    newRoot: 0x4007n,
    ...computeCommitments(body, protocolVersion),
  } as const;
  const header: BlockHeader = { ...unhashed, hash: blockHash(unhashed) };
  const { hash, newRoot } = header;
  return writeGatewayWholeBlock({
    block: { header: { ...header, status: "ACCEPTED_ON_L2" }, transactions, receipts },
    update: { blockHash: hash, newRoot, oldRoot: 0x3007n, stateDiff },
    signature: signBlock(TEST_KEY, header),
  });
}

/** Sets a deploy's address to that of its class, salt and arguments. */
function withAddress(transaction: Transaction): Transaction {
  if (transaction.type !== "DEPLOY") return transaction;
  const { contractAddressSalt, classHash, constructorCalldata } = transaction;
  const address = contractAddress(0n, contractAddressSalt, classHash, constructorCalldata);
  return { ...transaction, contractAddress: address };
}

const BLOCK_PARTS = {
  gasPrices: {
    l1Gas: { wei: 11n, fri: 12n },
    l1DataGas: { wei: 13n, fri: 14n },
    l2Gas: { wei: 15n, fri: 16n },
  },
  l1DaMode: "BLOB",
} as const;

function receiptOf(
  { hash, transaction }: HashedTransaction,
  index: number,
  protocolVersion: string,
): Receipt {
  const receipt: Receipt = {
    transactionHash: hash,
    actualFee: 100n + BigInt(index),
    feeUnit: transaction.version === 3 ? "FRI" : "WEI",
    events: [{ fromAddress: 0xe0n, keys: [BigInt(index), 2n], data: [3n, 4n, 5n] }],
    messages: index === 1 ? [{ fromAddress: 0xe1n, toAddress: 0xe7n, payload: [6n, 7n] }] : [],
    status: index === 2 ? { kind: "reverted", reason: "out of luck" } : { kind: "succeeded" },
    gas: { l1Gas: 8n, l1DataGas: 9n, l2Gas: 10n },
    daGas: { l1Gas: 1n, l1DataGas: 2n, l2Gas: 0n },
    vmResources: { steps: 20, memoryHoles: 3, builtins: { pedersen: 4 } },
  };
  if (compareProtocolVersions(protocolVersion, "0.13.4") < 0) return receipt;
  return chargedReceipt(receipt, transaction, { protocolVersion, ...BLOCK_PARTS });
}

const DIFF: StateDiff = {
  storageDiffs: new Map([
    [
      0xc0n,
      new Map([
        [0x10n, 0x111n],
        [0x20n, 0x222n],
      ]),
    ],
    [0xc1n, new Map([[0x30n, 0n]])],
  ]),
  nonces: new Map([[0xc0n, 3n]]),
  deployedContracts: new Map([[0xc1n, 0x51e77an]]),
  replacedClasses: new Map([[0xc2n, 0x51e77bn]]),
  declaredClasses: new Map([[0x51e77an, 0xca5n]]),
  deprecatedDeclaredClasses: new Set([0x1e6acn]),
  migratedCompiledClasses: new Map(),
};

/** The bytes of a JSON value. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(stringifyJson(value as JsonValue));
}
