import type { BlockHeader, BlockInfo, HashedTransaction, Receipt } from "#protocol/chain/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type BlockId,
  infoOf,
  type ResolvedBlock,
  resolveBlock,
  reasonOfAbsence,
} from "../block-id.ts";
import type { SubmitAnswer } from "#services/sync/index.ts";
import type { ChainContext, MainContext } from "../context.ts";
import {
  BusyFault,
  type Fail,
  InvalidClassFault,
  NotServedError,
  type RpcErrorName,
} from "../errors.ts";
import { locateFirst, requireLocation } from "../fork/locate.ts";
import type { BlockHead, Broadcasted, Finality } from "../spec/version.ts";

/**
 * Resolves the block id of a request.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when there is no such block
 */
export function blockOrFail(
  context: ChainContext,
  id: BlockId,
  fail: Fail<"BLOCK_NOT_FOUND">,
): ResolvedBlock {
  return resolveBlock(context, id) ?? fail("BLOCK_NOT_FOUND", reasonOfAbsence(context, id));
}

/**
 * Returns the block info (number, time, prices) of a resolved block.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block was reverted
 */
export function infoOrFail(
  context: ChainContext,
  block: ResolvedBlock,
  fail: Fail<"BLOCK_NOT_FOUND">,
): BlockInfo {
  return infoOf(context, block) ?? fail("BLOCK_NOT_FOUND");
}

/**
 * Returns the head of a resolved block, sealed or being built, for a response.
 *
 * @throws {RpcFault} BLOCK_NOT_FOUND when the block was reverted
 */
export function headOrFail(
  context: ChainContext,
  block: ResolvedBlock,
  fail: Fail<"BLOCK_NOT_FOUND">,
): BlockHead {
  if (block.kind === "pending") {
    const { info } = block.view;
    const parent = parentOf(context, info.number) ?? fail("BLOCK_NOT_FOUND");
    return { kind: "building", info, parentHash: parent.hash };
  }
  const header = context.chain.header(block.number) ?? fail("BLOCK_NOT_FOUND");
  return { kind: "sealed", finality: finalityOf(context, block.number), header };
}

/** Parent of block 0. */
const NOTHING = { hash: 0n, newRoot: 0n } as const;

/** Returns hash and root of the accepted parent of a block; `undefined` if the parent is not accepted yet. */
export function parentOf(
  { chain }: ChainContext,
  blockNumber: number,
): Pick<BlockHeader, "hash" | "newRoot"> | undefined {
  return blockNumber === 0 ? NOTHING : chain.ancestorHeader(blockNumber - 1);
}

/** Returns the finality of an accepted block. That of a fork's local block does not need the origin. */
export function finalityOf(
  { chain, fork }: ChainContext,
  blockNumber: number,
): "ACCEPTED_ON_L2" | "ACCEPTED_ON_L1" {
  const isLocal = fork === null || blockNumber > fork.forkBlock;
  const settled = chain.l1AcceptedNumber() ?? (isLocal ? undefined : fork.l1AcceptedNumber());
  return settled !== undefined && blockNumber <= settled ? "ACCEPTED_ON_L1" : "ACCEPTED_ON_L2";
}

/** Transaction of a block with its receipt. */
export interface ExecutedTransaction {
  readonly transaction: HashedTransaction;
  readonly receipt: Receipt;
  readonly finality: Finality;
  readonly blockNumber: number;
}

/**
 * Finds a transaction with its receipt in accepted blocks, then in the blocks above them.
 *
 * @returns `undefined` if no block has it
 */
export function findExecuted(context: ChainContext, hash: Felt): ExecutedTransaction | undefined {
  const { chain } = context;
  const location = locateFirst(context, hash);
  if (location !== undefined) {
    const transaction = chain.transactionAt(location);
    const receipt = chain.receiptAt(location);
    if (transaction !== undefined && receipt !== undefined) {
      const { blockNumber } = location;
      return { transaction, receipt, blockNumber, finality: finalityOf(context, blockNumber) };
    }
  }
  for (const view of context.unaccepted()) {
    const found = view.find(hash);
    if (found === undefined) continue;
    const transaction = view.transactions[found.index];
    const receipt = view.receipts[found.index];
    if (transaction === undefined || receipt === undefined) continue;
    return { transaction, receipt, finality: "PRE_CONFIRMED", blockNumber: view.info.number };
  }
  return undefined;
}

/**
 * Ends a request for a transaction that no block has: with TXN_HASH_NOT_FOUND, and with the reason
 * if the transaction was rejected.
 */
export async function notFound(
  context: MainContext,
  hash: Felt,
  fail: Fail<"TXN_HASH_NOT_FOUND">,
): Promise<never> {
  const reason = await context.mempool.rejectionOf(hash);
  if (reason === undefined) requireLocation(context, hash);
  return fail("TXN_HASH_NOT_FOUND", reason === undefined ? undefined : `rejected: ${reason}`);
}

/**
 * Names of the errors that all submission methods declare: problems of the transaction or its
 * account.
 */
export const SUBMISSION_ERRORS = [
  "INSUFFICIENT_ACCOUNT_BALANCE",
  "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
  "INVALID_TRANSACTION_NONCE",
  "REPLACEMENT_TRANSACTION_UNDERPRICED",
  "FEE_BELOW_MINIMUM",
  "VALIDATION_FAILURE",
  "NON_ACCOUNT",
] as const satisfies readonly RpcErrorName[];

/** Errors of unsupported transaction versions, shared by all submissions. */
type VersionErrors = "UNSUPPORTED_TX_VERSION";

/** Returns the transaction that a wallet submitted: query versions can only be estimated or simulated. */
export function sentTransaction<T>(sent: Broadcasted<T>, fail: Fail<VersionErrors>): T {
  if (sent.kind === "unsupported") {
    return fail("UNSUPPORTED_TX_VERSION", `version ${sent.version}; expected 0x3`);
  }
  if (sent.onlyQuery) {
    return fail("UNSUPPORTED_TX_VERSION", "a query version can only be estimated or simulated");
  }
  return sent.transaction;
}

/**
 * Errors that no method lists, but that sequencers of public networks return for forwarded transactions: they
 * are passed on unchanged.
 */
const SEQUENCER_ERRORS: readonly RpcErrorName[] = ["CONTRACT_NOT_FOUND", "ENTRYPOINT_NOT_FOUND"];

/**
 * Returns an accepted outcome; rejections of the mempool become errors of the method.
 *
 * @throws {BusyFault} when the transaction was not examined for lack of room
 * @throws {InvalidClassFault} when a public network's sequencer reports that error
 * @throws {NotServedError} when the outcome is unknown
 */
export function acceptedOrFail<E extends RpcErrorName>(
  outcome: SubmitAnswer,
  errors: readonly E[],
  fail: Fail<E | "UNEXPECTED_ERROR">,
): Extract<SubmitAnswer, { kind: "accepted" }> {
  if (outcome.kind === "accepted") return outcome;
  if (outcome.kind === "undecided") throw new NotServedError(outcome.reason);
  const { code, reason, retryAfterSeconds } = outcome;
  if (retryAfterSeconds !== undefined) throw new BusyFault(reason, retryAfterSeconds);
  if (code === "INVALID_CONTRACT_CLASS") throw new InvalidClassFault(reason);
  const listed: readonly RpcErrorName[] = [...errors, ...SEQUENCER_ERRORS];
  const failAny = fail as Fail<RpcErrorName>;
  return listed.includes(code)
    ? failAny(code, reason)
    : failAny("UNEXPECTED_ERROR", `${code}: ${reason}`);
}

/** Returns an encoder for a result that is JSON already. */
export function asIs<T extends JsonValue>(): (answer: T) => JsonValue {
  return (answer) => answer;
}
