import {
  contractAddresses,
  declared,
  deployed,
  error,
  invoked,
  publicKey,
  transactionStatus,
} from "./answers.ts";
import {
  block,
  headerOnly,
  preConfirmed,
  preConfirmedDelta,
  signature,
  stateUpdate,
  wholeBlock,
} from "./block.ts";
import { type Check, strictJson } from "./checks.ts";
import { compiledClass, contractClass } from "./contract-class.ts";
import { blockTraces, transactionTrace } from "./trace.ts";

export { StrictReaderError } from "./checks.ts";

/** Checks by kind of response. */
const FORMS = {
  block,
  headerOnly,
  stateUpdate,
  wholeBlock,
  signature,
  preConfirmed,
  preConfirmedDelta,
  contractClass,
  compiledClass,
  transactionStatus,
  contractAddresses,
  blockTraces,
  transactionTrace,
  publicKey,
  error,
  invoked,
  declared,
  deployed,
} as const satisfies Readonly<Record<string, Check>>;

/** Kind of a response. */
export type StrictForm = keyof typeof FORMS;

/**
 * Parses a response of a feeder gateway or a gateway as strictly as Pathfinder 0.22.3: with the
 * members, types and bounds of its `starknet_gateway_types`, rejecting members that it rejects. It
 * shares no code with the product.
 *
 * @param answer - the text of the body
 * @returns the parsed value, integers as `bigint`
 * @throws {StrictReaderError} with the first wrong place
 */
export function readStrictly(form: StrictForm, answer: string): unknown {
  const value = strictJson(answer);
  FORMS[form](value, form);
  return value;
}
