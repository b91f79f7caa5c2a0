import { named, type Schema, type SchemaKeywords } from "#base/codec/index.ts";
import { COUNT, FELT, FELTS, list, type Members, oneOf, record, TEXT, texts } from "./common.ts";
import { EVENT_MEMBERS, MESSAGE_MEMBERS } from "./receipts.ts";

/** Differences between versions in their traces. */
export interface TraceParts {
  readonly stateDiff: Schema;
  /** Members of a call that only some versions have, including `execution_resources`. */
  readonly callMembers: Members;
  /** EXECUTION_RESOURCES of the transaction. */
  readonly resources: Schema;
  /** FEE_ESTIMATE of a simulation. */
  readonly estimate: Schema;
  /** A reverted L1 handler is represented by its revert reason. */
  readonly showsRevertedHandler: boolean;
  /** INITIAL_READS, in versions that have them. */
  readonly initialReads?: Schema;
}

const REVERTED = record({ revert_reason: TEXT });

/** Creates the JSON schemas of TRANSACTION_TRACE, simulations and block traces for a version. */
export function traceSchemas(parts: TraceParts) {
  const call = invocation(parts.callMembers);
  const common: Members = { state_diff: parts.stateDiff, execution_resources: parts.resources };
  const ends: Members = { validate_invocation: call, fee_transfer_invocation: call };
  const trace = (type: string, required: Members, optional: Members): Schema =>
    named(`${type}_TXN_TRACE`, record({ type: { const: type }, ...required, ...common }, optional));
  const handler = parts.showsRevertedHandler ? oneOf(call, REVERTED) : call;
  const transactionTrace = named(
    "TRANSACTION_TRACE",
    oneOf(
      trace("INVOKE", { execute_invocation: oneOf(call, REVERTED) }, ends),
      trace("DECLARE", {}, ends),
      trace("DEPLOY_ACCOUNT", { constructor_invocation: call }, ends),
      trace("L1_HANDLER", { function_invocation: handler }, {}),
    ),
  );
  const simulation = record({
    transaction_trace: transactionTrace,
    fee_estimation: parts.estimate,
  });
  const ofBlock = record({ transaction_hash: FELT, trace_root: transactionTrace });
  return {
    transactionTrace,
    simulations: withReads("simulated_transactions", list(simulation), parts.initialReads),
    blockTraces: withReads("traces", list(ofBlock), parts.initialReads),
  };
}

/** A plain list, or an object with the list and the initial reads. */
function withReads(
  name: string,
  answers: SchemaKeywords,
  initialReads: Schema | undefined,
): SchemaKeywords {
  if (initialReads === undefined) return answers;
  return oneOf(answers, record({ [name]: answers, initial_reads: initialReads }));
}

/** FUNCTION_INVOCATION, with its inner calls. */
function invocation(callMembers: Members): Schema {
  const call: Schema = named("FUNCTION_INVOCATION", () =>
    record({
      contract_address: FELT,
      entry_point_selector: FELT,
      calldata: FELTS,
      caller_address: FELT,
      class_hash: FELT,
      entry_point_type: texts("EXTERNAL", "L1_HANDLER", "CONSTRUCTOR"),
      call_type: texts("CALL", "LIBRARY_CALL", "DELEGATE"),
      result: FELTS,
      calls: list(call),
      events: list(record({ order: COUNT, ...EVENT_MEMBERS })),
      messages: list(record({ order: COUNT, ...MESSAGE_MEMBERS })),
      ...callMembers,
    }),
  );
  return call;
}
