import { type AccountTransaction, transactionHash } from "#protocol/chain/index.ts";
import type { QueryContext } from "../context.ts";
import type { EstimatedTransaction } from "../traces/access.ts";
import type { Fail } from "../errors.ts";
import { InvalidParamsError } from "../decode-params.ts";
import type { BroadcastedAny } from "../spec/version.ts";
import { checkStopped, stopped } from "../stopped.ts";
import { DeclaredClasses } from "./declared-class.ts";

/**
 * Prepares transactions for an estimate or simulation: with their hashes and, for declarations, their
 * compiled classes. If a class has to be compiled first, the request ends here and is answered by a second
 * run.
 *
 * @param member - name of the parameter that contains them
 */
export function transactionsToRun(
  context: QueryContext,
  member: string,
  sent: readonly BroadcastedAny[],
  fail: Fail<"TRANSACTION_EXECUTION_ERROR">,
): readonly EstimatedTransaction[] {
  const { maxTransactions } = context.limits;
  if (sent.length > maxTransactions) {
    const expected = `array of at most ${maxTransactions} transactions`;
    throw new InvalidParamsError(member, expected, `array of ${sent.length}`);
  }
  const classes = new DeclaredClasses(context);
  const read = sent.map((one, i) => transactionToRun(context, classes, one, member, i, fail));
  // All missing classes are requested by now: the second run has them.
  return read.map((transaction) => transaction ?? stopped());
}

/** @returns `undefined` if its class has to be compiled first */
function transactionToRun(
  context: QueryContext,
  classes: DeclaredClasses,
  sent: BroadcastedAny,
  member: string,
  index: number,
  fail: Fail<"TRANSACTION_EXECUTION_ERROR">,
): EstimatedTransaction | undefined {
  if (sent.kind === "unsupported") return unsupported(member, index, sent.version.slice(0, 66));
  const { transaction, onlyQuery } = sent;
  if (!("contractClass" in transaction)) {
    return { transaction: hashed(context, transaction, onlyQuery), onlyQuery };
  }
  const { version } = transaction.transaction;
  if (version !== 3 && !classes.takesMaxFee) {
    return unsupported(member, index, `0x${version}`);
  }
  const declared = classes.of(transaction);
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

function unsupported(member: string, index: number, version: string): never {
  throw new InvalidParamsError(
    `${member}[${index}].version`,
    '"0x3" or "0x100000000000000000000000000000003"',
    version,
  );
}

function hashed(
  context: QueryContext,
  transaction: AccountTransaction,
  onlyQuery: boolean,
): EstimatedTransaction["transaction"] {
  const hash = transactionHash(transaction, context.chainId, {
    query: onlyQuery,
    pause: () => checkStopped(context),
  });
  return { hash, transaction };
}
