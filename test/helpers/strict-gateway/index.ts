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

/** What is read strictly, by what was asked. */
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

/** The name of an answer. */
export type StrictForm = keyof typeof FORMS;

/**
 * Reads an answer of a feeder gateway or a gateway as strictly as Pathfinder 0.22.3 does: with the
 * members, types and bounds of its `starknet_gateway_types`, refusing members that it refuses. It shares
 * no code with the product.
 *
 * @param answer - the text of the body
 * @returns what it says, integers as `bigint`
 * @throws {StrictReaderError} naming the first wrong place
 */
export function readStrictly(form: StrictForm, answer: string): unknown {
  const value = strictJson(answer);
  FORMS[form](value, form);
  return value;
}
