import { expect, test } from "bun:test";
import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { JsonValue } from "#base/codec/index.ts";
import type { Declaration } from "#services/admission/index.ts";
import type { SubmitErrorName } from "#services/sync/index.ts";
import { RPC_ERRORS } from "#api/rpc/index.ts";
import { errorOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import type { FullContext } from "#test/helpers/serving.ts";

/** Context that accepts every submission, and a record of the submissions. */
export function accepting(outcome: {
  readonly transactionHash: bigint;
  readonly classHash?: bigint;
}): {
  readonly context: FullContext;
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

/** Context that rejects every submission with the reason "because". */
export function rejecting(code: SubmitErrorName): FullContext {
  const refuse = () => Promise.resolve({ kind: "rejected", code, reason: "because" } as const);
  return sampleContext({ submit: { submit: refuse, declare: refuse } });
}

/** Errors that only a sequencer returns, never the node's own admission. */
const SEQUENCER_ERRORS = [
  "CONTRACT_NOT_FOUND",
  "ENTRYPOINT_NOT_FOUND",
] as const satisfies readonly SubmitErrorName[];

/** Tests that each rejection by the mempool becomes the error of the same name, with its reason. */
export function testWriteErrors(
  method: string,
  params: JsonValue,
  names: readonly Exclude<SubmitErrorName, "INVALID_CONTRACT_CLASS">[],
): void {
  test("reports an undecided submission as an internal error with the reason", async () => {
    const undecided = () => Promise.resolve({ kind: "undecided", reason: "no answer" } as const);
    const context = sampleContext({ submit: { submit: undecided, declare: undecided } });
    const internal = { code: -32603, message: "Internal error", data: "no answer" };
    expect(await errorOf(method, params, context)).toEqual(internal);
  });

  test("reports an invalid class of a public network as error 50 with its reason", async () => {
    expect(await errorOf(method, params, rejecting("INVALID_CONTRACT_CLASS"))).toEqual({
      code: 50,
      message: "Invalid contract class",
      data: "because",
    });
  });

  for (const name of [...names, ...SEQUENCER_ERRORS]) {
    test(`reports a rejection as ${name} with its reason`, async () => {
      const { code, message } = RPC_ERRORS[name];
      expect(await errorOf(method, params, rejecting(name))).toEqual({
        code,
        message,
        data: "because",
      });
    });
  }
}
