import { expect, test } from "bun:test";
import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import type { WriteErrorName } from "#services/admission/mempool/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import { RPC_ERRORS } from "#api/rpc/index.ts";
import { errorOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import type { WholeContext } from "#test/helpers/serving.ts";

/** A context that accepts everything, and what it was given. */
export function accepting(outcome: {
  readonly transactionHash: bigint;
  readonly classHash?: bigint;
}): {
  readonly context: WholeContext;
  readonly submitted: readonly AccountTransaction[];
  readonly declared: readonly Declaration[];
} {
  const submitted: AccountTransaction[] = [];
  const declared: Declaration[] = [];
  const context = sampleContext({
    submit: {
      submit(transaction) {
        submitted.push(transaction);
        return Promise.resolve({ kind: "accepted", ...outcome });
      },
      declare(declaration) {
        declared.push(declaration);
        return Promise.resolve({ kind: "accepted", ...outcome });
      },
    },
  });
  return { context, submitted, declared };
}

/** A context that refuses everything with the reason "because". */
export function rejecting(code: WriteErrorName): WholeContext {
  const refuse = () => Promise.resolve({ kind: "rejected", code, reason: "because" } as const);
  return sampleContext({ submit: { submit: refuse, declare: refuse } });
}

/** Tests that each refusal of the mempool arrives as the error of that name, with its reason. */
export function testWriteErrors(
  method: string,
  params: JsonValue,
  names: readonly WriteErrorName[],
): void {
  for (const name of names) {
    test(`a refusal for ${name} arrives with its reason`, async () => {
      const { code, message } = RPC_ERRORS[name];
      expect(await errorOf(method, params, rejecting(name))).toEqual({
        code,
        message,
        data: "because",
      });
    });
  }
}
