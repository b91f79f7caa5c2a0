import {
  type AccountTransaction,
  senderAddressOf,
  transactionHash,
} from "#protocol/chain/index.ts";
import { stateOf } from "../block-id.ts";
import type { EstimatedTransaction, RpcContext } from "../context.ts";
import type { Fail } from "../errors.ts";
import { InvalidParamsError, elidable, method, required } from "../method.ts";
import type { BroadcastedAny } from "../spec/version.ts";
import { checkStopped, stopped } from "../stopped.ts";
import { declaredClassOf } from "./declared-class.ts";
import { executionOf } from "./execution.ts";
import { blockOrFail, infoOrFail } from "./shared.ts";

/** starknet_estimateFee. */
export const estimateFee = method({
  name: "estimateFee",
  family: "read",
  runsOn: "query",
  summary: "Fees of transactions, each on the state that all before it leave.",
  params: (spec) => ({
    request: required(spec.anyTransactions),
    simulation_flags: elidable(spec.estimateFlags, []),
    block_id: required(spec.blockId),
  }),
  result: (spec) => spec.feeEstimates,
  errors: ["CONTRACT_NOT_FOUND", "TRANSACTION_EXECUTION_ERROR", "BLOCK_NOT_FOUND"],
  handler(context, { request, simulation_flags, block_id }, fail) {
    const block = blockOrFail(context, block_id, fail);
    const info = infoOrFail(context, block, fail);
    const read = request.map((sent, i) => estimated(context, sent, i, fail));
    // Of all that is lacking was told now: the second run has it.
    const transactions = read.map((transaction) => transaction ?? stopped());
    const validate = !simulation_flags.includes("SKIP_VALIDATE");
    const state = stateOf(context, block);
    // Later senders may be deployed by the transactions before them.
    const first = transactions[0]?.transaction.transaction;
    if (
      first !== undefined &&
      first.type !== "DEPLOY_ACCOUNT" &&
      state.classHashAt(senderAddressOf(first)) === 0n
    ) {
      return fail("CONTRACT_NOT_FOUND", "the sender of request[0] is not deployed");
    }
    const outcome = executionOf(context).estimateFee(state, info, transactions, { validate });
    switch (outcome.kind) {
      case "ok":
        return outcome.estimates;
      case "failed":
        return fail("TRANSACTION_EXECUTION_ERROR", {
          transactionIndex: outcome.index,
          failure: outcome.failure ?? outcome.reason,
        });
      case "cancelled":
        return stopped();
    }
  },
});

/** @returns `undefined` when its class is to be compiled first */
function estimated(
  context: RpcContext,
  sent: BroadcastedAny,
  index: number,
  fail: Fail<"TRANSACTION_EXECUTION_ERROR">,
): EstimatedTransaction | undefined {
  if (sent.kind === "unsupported") {
    throw new InvalidParamsError(
      `request[${index}].version`,
      '"0x3" or "0x100000000000000000000000000000003"',
      sent.version.slice(0, 66),
    );
  }
  const { transaction, onlyQuery } = sent;
  if (!("contractClass" in transaction)) {
    return { transaction: hashed(context, transaction, onlyQuery), onlyQuery };
  }
  const declared = declaredClassOf(context, transaction);
  switch (declared.kind) {
    case "unknown":
      return undefined;
    case "refused":
      return fail("TRANSACTION_EXECUTION_ERROR", {
        transactionIndex: index,
        failure: declared.reason,
      });
    case "compiled": {
      const { executable } = declared;
      const named = { ...transaction.transaction, classHash: executable.classHash };
      return {
        transaction: hashed(context, named, onlyQuery),
        declared: executable,
        onlyQuery,
      };
    }
  }
}

function hashed(
  context: RpcContext,
  transaction: AccountTransaction,
  onlyQuery: boolean,
): EstimatedTransaction["transaction"] {
  const hash = transactionHash(transaction, context.chainId, {
    query: onlyQuery,
    pause: () => checkStopped(context),
  });
  return { hash, transaction };
}
