import type { Felt } from "#base/primitives/index.ts";
import type { BlockCheckOutcome, BlockCheckRequest, BlockVerifier } from "../ports.ts";
import { checkCharges } from "./check-charges.ts";
import { checkHeader, checkTransactions } from "./check-contents.ts";
import { checkConsumedMessages } from "./check-receipts.ts";
import { checkSignature, signatureOf } from "./check-signature.ts";
import { checkedBlock } from "./checked-block.ts";
import { readBlock } from "./read-block.ts";
import { refusalOf } from "./refusal.ts";

/** What blocks are checked with. */
export interface BlockVerifierOptions {
  /** The chain's short string as a felt. */
  readonly chainId: Felt;
  /** The newest protocol version that the program knows. */
  readonly newestVersion: string;
}

/**
 * Does every check of a block that needs no state, where it is called: decoding, then all that can be
 * computed again from what the block has in it. Parent, timestamp, classes and state root are left to
 * whoever applies it.
 */
export function createBlockVerifier(options: BlockVerifierOptions): BlockVerifier {
  return { checkBlock: async (request) => checkBlock(request, options) };
}

function checkBlock(
  request: BlockCheckRequest,
  { chainId, newestVersion }: BlockVerifierOptions,
): BlockCheckOutcome {
  const { blockNumber } = request;
  const read = readBlock(request, newestVersion);
  if (read.kind === "refused") return read;
  const { whole } = read;
  const { header: told, receipts } = whole.block;
  if (told.number !== blockNumber) {
    const difference = { field: "block_number", expected: blockNumber, found: told.number };
    const refusal = refusalOf(blockNumber, { check: "block_number", ...difference });
    return { kind: "refused", refusal };
  }
  if (whole.signature === undefined && request.signatureText === undefined) {
    return { kind: "needsSignature" };
  }
  const checked = checkTransactions(whole, chainId);
  if (checked.kind === "refused") return checked;
  const transactions = checked.value;
  const messages = checkConsumedMessages(blockNumber, transactions, read.receipts);
  if (messages !== undefined) return { kind: "refused", refusal: messages };
  const computed = checkHeader(whole, transactions, chainId);
  if (computed.kind === "refused") return computed;
  const header = computed.value;
  const charges = checkCharges(header, transactions, receipts);
  if (charges !== undefined) return { kind: "refused", refusal: charges };
  const signed = signatureOf(request, whole.signature, header);
  if (signed.kind === "refused") return signed;
  const signature = signed.value;
  if (signature === undefined) return { kind: "needsSignature" };
  const { stateDiff } = whole.update;
  const unsigned = checkSignature(request, header, signature, stateDiff);
  if (unsigned !== undefined) return { kind: "refused", refusal: unsigned };
  const { status } = told;
  return checkedBlock({ header, status, signature, transactions, receipts, stateDiff });
}
