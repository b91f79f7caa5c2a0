export {
  BUNDLE_VERSION,
  type BlockBundle,
  type BundledClass,
  type BundleParts,
  bundleFromParts,
  bundleHash,
  decodeBundle,
  encodeBundle,
} from "./bundle/bundle.ts";
export {
  type BlockInputs,
  type ConsumedL1Message,
  decodeBlockInputs,
  decodeHeader,
  encodeBlockInputs,
  encodeHeader,
} from "./bundle/header.ts";
export { decodeContractClass, encodeContractClass } from "./bundle/class.ts";
export { decodeReceipt, encodeReceipt, readReceipt, writeReceipt } from "./bundle/receipt.ts";
export {
  compareFelts,
  decodeStateDiff,
  encodeStateDiff,
  readStateDiff,
  writeStateDiff,
} from "./bundle/state-diff.ts";
export {
  decodeTransaction,
  encodeTransaction,
  readTransaction,
  writeTransaction,
} from "./bundle/transaction.ts";
