import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import type { OriginBlock } from "#engine/state/index.ts";
import type { RemoteBody, RemoteHead } from "#io/client/index.ts";
import {
  type BlockCommitments,
  type BlockHeader,
  blockHashMismatch,
  computeCommitments,
  EMPTY_STATE_DIFF,
  type HashedTransaction,
  hasEarlyHashes,
  type Receipt,
  type StateDiff,
  type Transaction,
  withHashedBounds,
} from "#protocol/chain/index.ts";
import { pedersenArray, poseidonMany } from "#protocol/crypto/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginSpec } from "../rpc/spec.ts";

/**
 * Name of the rule that a block's hash follows; `unknown` if this program has no rule that gives
 * the hash.
 */
export type HashRule = "network" | "devnet" | "unknown";

/** Block whose contents match its header. */
export interface VerifiedBlock extends OriginBlock {
  readonly hashRule: HashRule;
}

/** Block as the origin returned it. */
export interface ReceivedBlock {
  readonly head: RemoteHead;
  /** `undefined` when the header has none; they are then computed from the block's contents. */
  readonly commitments: BlockCommitments | undefined;
  readonly body: RemoteBody;
  /** `undefined` when the header has its commitments. */
  readonly stateDiff: StateDiff | undefined;
  /** Name and specification of the URL. */
  readonly name: string;
  readonly spec: OriginSpec;
}

const NO_RESOURCES = { steps: 0, memoryHoles: 0, builtins: {} };
const NO_GAS = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };

/**
 * Verifies a block: transaction hashes, commitments, and the block hash, each where the protocol version and
 * the specification of the URL allow it.
 *
 * @throws {OriginError} ORIGIN_BAD_ANSWER when the block contradicts itself
 */
export function verifiedBlock(received: ReceivedBlock, chainId: Felt): VerifiedBlock {
  const { head, body, stateDiff, name, spec } = received;
  const transactions = body.transactions.map((transaction, index) =>
    hashedTransaction(transaction, body.receipts[index]?.transactionHash ?? 0n, {
      ...{ chainId, blockNumber: head.number, index, name, spec },
    }),
  );
  const receipts = body.receipts.map((receipt): Receipt => {
    const { transactionHash, actualFee, feeUnit, events, messages, status, gas } = receipt;
    const known = { transactionHash, actualFee, feeUnit, events, messages, status, gas };
    return { ...known, daGas: NO_GAS, vmResources: NO_RESOURCES };
  });
  const contents = { transactions, receipts, stateDiff: stateDiff ?? EMPTY_STATE_DIFF };
  const computed = computeCommitments(contents, head.protocolVersion);
  const header = { ...head, ...(received.commitments ?? computed) };
  const hashRule = requireBlockHash(header, chainId, received);
  if (hashRule === "network") requireContents(header, computed, name);
  return { header, transactions, receipts, hashRule };
}

interface TransactionSource extends Pick<ReceivedBlock, "name" | "spec"> {
  readonly chainId: Felt;
  readonly blockNumber: number;
  readonly index: number;
}

function hashedTransaction(
  transaction: Transaction,
  reportedHash: Felt,
  { chainId, blockNumber, index, name, spec }: TransactionSource,
): HashedTransaction {
  const hashed = withHashedBounds(transaction, reportedHash, chainId);
  if (hashed.hash === reportedHash) return hashed;
  // Older specifications omit the proof facts that the hash covers.
  const mayLackFacts = !spec.hasFlags && transaction.type === "INVOKE" && transaction.version === 3;
  if (mayLackFacts || hasEarlyHashes(chainId, blockNumber)) {
    return { hash: reportedHash, transaction };
  }
  const place = `transaction ${index} of block ${blockNumber}`;
  const [found, expected] = [hexFromFelt(reportedHash), hexFromFelt(hashed.hash)];
  throw wrongAnswer(`${name}: ${place} has hash ${found}, but its contents hash to ${expected}`);
}

/** Networks whose block hashes all follow the rules of their protocol versions. */
const PUBLIC_CHAINS: ReadonlySet<Felt> = new Set(
  ["SN_MAIN", "SN_SEPOLIA"].map(feltFromShortString),
);

/**
 * Verifies the hash of a block.
 *
 * @param header - with the reported commitments, or computed ones
 * @throws {OriginError} ORIGIN_BAD_ANSWER on a public network when no rule gives the hash
 */
export function requireBlockHash(
  header: BlockHeader,
  chainId: Felt,
  { commitments, name }: Pick<ReceivedBlock, "commitments" | "name">,
): HashRule {
  const mismatch = blockHashMismatch(header, chainId);
  if (mismatch === undefined) return "network";
  if (devnetHashes(header).includes(header.hash)) return "devnet";
  // State diffs before JSON-RPC 0.10 omit migrated classes, which the commitment covers.
  const mayLackChanges =
    commitments === undefined &&
    protocolRules(header.protocolVersion).compiledClassHash === "blake";
  const isPublic = PUBLIC_CHAINS.has(chainId) && header.number > 0;
  if (mayLackChanges || !isPublic) return "unknown";
  const { number, hash } = header;
  const expected = hexFromFelt(BigInt(mismatch.expected));
  throw wrongAnswer(
    `${name}: block ${number} has hash ${hexFromFelt(hash)}, but its header hashes to ${expected}`,
  );
}

/**
 * Hashes that versions of starknet-devnet give a block: those before 0.9 with Pedersen, newer ones with
 * Poseidon and 0 in place of the timestamp and the parent's hash, and `--lite-mode` the number. They cover
 * neither commitments nor counts of events. Chains of starknet-devnet have the chain id of Sepolia.
 */
function devnetHashes(header: BlockHeader): readonly Felt[] {
  const { number, newRoot, sequencerAddress, timestamp, transactionCount, parentHash } = header;
  const felts = (time: number, parent: Felt): readonly Felt[] => [
    ...[BigInt(number), newRoot, sequencerAddress, BigInt(time), BigInt(transactionCount)],
    ...[0n, 0n, 0n, 0n, 0n, parent],
  ];
  return [
    ...[0, timestamp].map((time) => pedersenArray(felts(time, parentHash))),
    poseidonMany(felts(0, 0n)),
    BigInt(number),
  ];
}

function requireContents(header: BlockHeader, computed: BlockCommitments, name: string): void {
  const { blockCommitments } = protocolRules(header.protocolVersion);
  const fields = ["transactionCount", "eventCount", "transactionCommitment", "eventCommitment"];
  if (blockCommitments === "poseidon") fields.push("receiptCommitment");
  for (const field of fields as (keyof BlockCommitments)[]) {
    if (header[field] === computed[field]) continue;
    const what = `${field} of block ${header.number}`;
    throw wrongAnswer(`${name}: the ${what} does not match its transactions and receipts`);
  }
}
