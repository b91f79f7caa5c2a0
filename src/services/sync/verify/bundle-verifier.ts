import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type ReceivedBundle,
  commitmentMismatch,
  decodeReceivedBundle,
  headerOfBundle,
  type HashedTransaction,
} from "#protocol/chain/index.ts";
import { compareProtocolVersions, isProtocolVersion } from "#protocol/versions/index.ts";
import type { GatewayWholeBlock } from "#io/feeder/index.ts";
import type { BlockCheckOutcome, BlockCheckRequest, BlockVerifier, SyncRefusal } from "../ports.ts";
import type { BlockVerifierOptions } from "./block-verifier.ts";
import { checkCarriedClasses } from "./check-carried.ts";
import { checkCharges } from "./check-charges.ts";
import { checkHeader, checkTransactions } from "./check-contents.ts";
import { checkInputs } from "./check-inputs.ts";
import { checkReceiptNames } from "./check-receipts.ts";
import { checkSignature } from "./check-signature.ts";
import { arrivedBlock } from "./checked-block.ts";
import { formRefusal, refusalOf, refusalOfMismatch } from "./refusal.ts";

/**
 * Creates a verifier for bundles that performs every check that needs no state: those of a gateway's block;
 * also that the header equals the computed one, that the inputs match the transactions, and that each class
 * has its hash.
 */
export function createBundleVerifier(options: BlockVerifierOptions): BlockVerifier {
  return { checkBlock: async (request) => checkBundle(request, options) };
}

/** Request to check a bundle. */
export interface BundleCheckRequest extends Pick<BlockCheckRequest, "blockNumber" | "text"> {
  /** Key that must have signed the block; `null` if its hash is already trusted. */
  readonly publicKey: Felt | null;
}

/** Performs the checks of {@link createBundleVerifier}. */
export function checkBundle(
  request: BundleCheckRequest,
  { chainId, newestVersion }: BlockVerifierOptions,
): BlockCheckOutcome {
  const { blockNumber, publicKey } = request;
  const refused = (refusal: SyncRefusal) => ({ kind: "refused", refusal }) as const;
  try {
    const other = otherBlock(request, newestVersion);
    if (other !== undefined) return refused(other);
    const arrived = decodeReceivedBundle(request.text);
    const whole = wholeOf(arrived);
    const checked = checkTransactions(whole, chainId);
    if (checked.kind === "refused") return checked;
    const transactions = checked.value;
    const computed = checkHeader(whole, transactions, chainId);
    if (computed.kind === "refused") return computed;
    const header = computed.value;
    const { signature, stateDiff } = arrived.block;
    const refusal =
      otherForm(blockNumber, arrived, transactions) ??
      // A gateway may omit header fields that are mandatory in a bundle.
      refusalOfMismatch(blockNumber, commitmentMismatch(header, arrived.block.header)) ??
      checkReceiptNames(blockNumber, transactions, arrived.block.receipts) ??
      checkCharges(header, transactions, arrived.block.receipts) ??
      (publicKey === null
        ? undefined
        : checkSignature({ publicKey }, header, signature, stateDiff)) ??
      checkInputs(blockNumber, transactions, arrived.inputs) ??
      checkCarriedClasses(blockNumber, stateDiff, arrived.classes);
    return refusal === undefined ? arrivedBlock(arrived) : refused(refusal);
  } catch (error) {
    if (error instanceof DecodeError) return refused(formRefusal(blockNumber, error));
    throw error;
  }
}

/**
 * Refuses a block with another number than requested, and one of a newer protocol, whose content after the
 * header may have another format.
 */
function otherBlock(
  { blockNumber, text }: Pick<BlockCheckRequest, "blockNumber" | "text">,
  newestVersion: string,
): SyncRefusal | undefined {
  const { number, protocolVersion } = headerOfBundle(text);
  if (number !== blockNumber) {
    const difference = { field: "number", expected: blockNumber, found: number };
    return refusalOf(blockNumber, { check: "block_number", ...difference });
  }
  if (protocolVersion === "" || isKnown(protocolVersion, newestVersion)) return undefined;
  return refusalOf(blockNumber, {
    check: "protocol_version",
    field: "protocol version",
    expected: `at most ${newestVersion}, the newest that this program knows`,
    found: shownVersion(protocolVersion),
  });
}

/** Whether a protocol version is supported. Blocks of the first years have no version. */
function isKnown(version: string, newest: string): boolean {
  return isProtocolVersion(version) && compareProtocolVersions(version, newest) <= 0;
}

const MAX_VERSION = 32;

/** Sanitizes a version for messages, because it is untrusted text. */
function shownVersion(version: string): string {
  return version.slice(0, MAX_VERSION).replace(/[^A-Za-z0-9_.-]/gu, "?");
}

/** Refuses transactions that are not in the form that is hashed, as bundles require. */
function otherForm(
  blockNumber: number,
  { block }: ReceivedBundle,
  transactions: readonly HashedTransaction[],
): SyncRefusal | undefined {
  const index = transactions.findIndex(
    ({ transaction }, i) => transaction !== block.transactions[i]?.transaction,
  );
  if (index < 0) return undefined;
  return refusalOf(blockNumber, {
    check: "transaction_hash",
    field: `transaction ${index}`,
    expected: "the form that its hash is of",
    found: "another one",
  });
}

function wholeOf({ block }: ReceivedBundle): GatewayWholeBlock {
  const { header, signature, transactions, receipts, stateDiff } = block;
  const { hash: blockHash, newRoot } = header;
  return {
    block: { header: { ...header, status: "ACCEPTED_ON_L2" }, transactions, receipts },
    update: { blockHash, newRoot, oldRoot: 0n, stateDiff },
    signature,
  };
}
