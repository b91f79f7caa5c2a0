export { type AccountCall, accountCalls } from "./account-calls.ts";
export { contractAddress, contractAddressBatch } from "./address.ts";
export {
  blockHash,
  blockSignatureMessage,
  concatenatedCounts,
  firstEraBlockHash,
  signBlock,
  type UnhashedHeader,
  verifyBlockSignature,
} from "./block-hash.ts";
export type {
  BlockBody,
  BlockCommitments,
  BlockHeader,
  BlockInfo,
  GasPrices,
  L1DaMode,
  ResourcePrice,
  SealedBlock,
} from "./block.ts";
export {
  type ReceivedBundle,
  type ReceivedClass,
  type BlockBundle,
  bundleFromParts,
  decodeReceivedBundle,
  decodeBundle,
  headerOfBundle,
  MAX_BUNDLE_ITEMS,
} from "./bundle/bundle.ts";
export { readBlockInfo, writeBlockInfo } from "./bundle/block-info.ts";
export { decodeContractClass, encodeContractClass } from "./bundle/class.ts";
export {
  type BundledClass,
  bundledClassOf,
  type ClassContents,
  type EncodedClass,
  executableClassOf,
  readEncodedClass,
  sierraExecutable,
  writeEncodedClass,
} from "./bundle/bundled-class.ts";
export {
  type BlockInputs,
  decodeBlockInputs,
  decodeHeader,
  encodeBlockInputs,
  encodeHeader,
  readBlockInputs,
  writeBlockInputs,
} from "./bundle/header.ts";
export { decodeReceipt, encodeReceipt, readReceipt, writeReceipt } from "./bundle/receipt.ts";
export {
  decodeStateDiff,
  encodeStateDiff,
  readStateDiff,
  writeStateDiff,
} from "./bundle/state-diff.ts";
export {
  decodeTransaction,
  encodedTransaction,
  encodeTransaction,
  encodeUnhashed,
  isHashed,
  readTransaction,
  withHash,
  writeTransaction,
} from "./bundle/transaction.ts";
export { type CasmHashFunction, casmHashFunctionOf, compiledClassHash } from "./casm-hash.ts";
export { casmClassCodec, casmClassFromJson } from "./casm.ts";
export { casmJsonFromClass } from "./casm-json.ts";
export { classFromFile } from "./class-file.ts";
export { sierraClassHash } from "./class-hash.ts";
export type {
  ApTracking,
  BytecodeSegmentLengths,
  CasmClass,
  CasmEntryPoint,
  ContractClass,
  EntryPointType,
  ExecutableClass,
  LegacyClass,
  LegacyEntryPoint,
  LegacyErrorMessage,
  LegacyExecutable,
  LegacyHint,
  LegacyProgram,
  LegacyReference,
  LegacyTerm,
  PackedLegacyClass,
  PackedSierraClass,
  SierraClass,
  SierraEntryPoint,
  SierraExecutable,
} from "./class.ts";
export {
  blockEvents,
  computeCommitments,
  eventLeaves,
  IncrementalCommitments,
  receiptLeaves,
  transactionLeaves,
} from "./commitments.ts";
export { hashedLegacyExecutable, legacyClassHash, legacyClassHashOf } from "./legacy-class-hash.ts";
export { legacyExecutableFromJson, legacyExecutableOf } from "./legacy-class.ts";
export { l1MessageHash, l2MessageHash } from "./message-hash.ts";
export { packedLegacyClass, packLegacyClass, unpackLegacyClass } from "./packed-legacy-class.ts";
export { packedSierraClass, unpackSierraClass } from "./packed-sierra-class.ts";
export {
  type LegacyClassLengths,
  legacyClassLengths,
  type ParsedLegacyClass,
  parseLegacyClass,
} from "./parsed-legacy-class.ts";
export { pythonicJson } from "./pythonic-json.ts";
export type { Event, FeeUnit, MessageToL1, Receipt } from "./receipt.ts";
export { sierraClassCodec, sierraClassFromJson, sierraClassObjectBytes } from "./sierra-class.ts";
export { sierraVersionOf } from "./sierra-version.ts";
export { stateDiffCommitment } from "./state-diff-commitment.ts";
export {
  EMPTY_STATE_DIFF,
  emptyStateDiff,
  type MutableStateDiff,
  type StateDiff,
  stateDiffLength,
} from "./state-diff.ts";
export { earlyTransactionHashes } from "./early-transaction-hash.ts";
export { QUERY_VERSION_BASE, transactionHash } from "./transaction-hash.ts";
export {
  type AccountTransaction,
  type DataAvailabilityMode,
  type DeclareTransaction,
  type DeclareV1,
  type DeclareV2,
  type DeclareV3,
  type DeployAccountTransaction,
  type DeployAccountV1,
  type DeployAccountV3,
  type EncodedTransaction,
  type HashedTransaction,
  type InvokeTransaction,
  type InvokeV1,
  type InvokeV3,
  type L1Handler,
  nonceOf,
  type ResourceBound,
  type ResourceBounds,
  senderAddressOf,
  type Transaction,
  type V3Fields,
} from "./transaction.ts";
export { blockHashMismatch } from "./verification/block-hash.ts";
export { classHashMismatch, compiledClassHashMismatch } from "./verification/classes.ts";
export { commitmentMismatch } from "./verification/commitments.ts";
export { hasEarlyHashes } from "./verification/early-blocks.ts";
export type { Mismatch, MismatchField, Verification } from "./verification/mismatch.ts";
export { signatureMismatch } from "./verification/signature.ts";
export {
  deployedAddressMismatch,
  withHashedBounds,
  receiptCountMismatch,
  receiptMismatch,
  transactionHashMismatch,
  type TransactionPlace,
} from "./verification/transactions.ts";
