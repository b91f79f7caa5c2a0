import type { Felt } from "#base/primitives/index.ts";
import type { BlockCheckOutcome, BlockCheckRequest, BlockVerifier } from "../ports.ts";
import { checkCharges } from "./check-charges.ts";
import { checkHeader, checkTransactions } from "./check-contents.ts";
import { checkConsumedMessages } from "./check-receipts.ts";
import { checkSignature, signatureOf } from "./check-signature.ts";
import { checkedBlock } from "./checked-block.ts";
import { readBlock } from "./read-block.ts";
import { refusalOf } from "./refusal.ts";

/** Options of a block verifier. */
export interface BlockVerifierOptions {
  /** Chain id as a short string felt. */
  readonly chainId: Felt;
  /** Newest protocol version that the program supports. */
  readonly newestVersion: string;
}

/**
 * Creates a verifier that runs on the calling thread. It performs every check of a block that needs no state:
 * decoding, and recomputing everything that follows from the block alone. The block applier checks parent,
 * timestamp, classes and state root.
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
  const { header: reported, receipts } = whole.block;
  if (reported.number !== blockNumber) {
    const difference = { field: "block_number", expected: blockNumber, found: reported.number };
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
  const { status } = reported;
  return checkedBlock({ header, status, signature, transactions, receipts, stateDiff });
}
