import {
  type HttpReply,
  jsonReply,
  type SubmitClient,
  textReply,
  type TransactionSubmitter,
} from "#api/rpc/index.ts";
import { stringifyJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { gatewayRefusal, type SubmitAnswer } from "#services/sync/index.ts";
import { gatewayErrorReply } from "../errors.ts";
import type { Submission } from "./submission.ts";

/**
 * Submits a transaction and encodes the outcome as a response.
 *
 * @param client - as in {@link TransactionSubmitter.submit}
 */
export async function submissionReply(
  submit: TransactionSubmitter,
  submission: Submission,
  client: SubmitClient,
): Promise<HttpReply> {
  switch (submission.kind) {
    case "address out of range": {
      const message = `Contract address ${hexFromFelt(submission.address)} is out of range.`;
      return gatewayErrorReply("OUT_OF_RANGE_CONTRACT_ADDRESS", message);
    }
    case "refused":
      return answerReply({ ...submission, kind: "rejected" }, undefined);
    case "declaration":
      return answerReply(await submit.declare(submission.declaration, client), undefined);
    case "transaction": {
      const { transaction } = submission;
      const address =
        transaction.type === "DEPLOY_ACCOUNT" ? transaction.contractAddress : undefined;
      return answerReply(await submit.submit(transaction, client), address);
    }
  }
}

function answerReply(answer: SubmitAnswer, address: bigint | undefined): HttpReply {
  switch (answer.kind) {
    case "accepted": {
      const { transactionHash, classHash } = answer;
      return jsonReply(
        stringifyJson({
          code: "TRANSACTION_RECEIVED",
          transaction_hash: hexFromFelt(transactionHash),
          ...(classHash === undefined ? {} : { class_hash: hexFromFelt(classHash) }),
          ...(address === undefined ? {} : { address: hexFromFelt(address) }),
        }),
        200,
      );
    }
    case "rejected": {
      const { code, message, retryAfterSeconds } = gatewayRefusal(answer);
      const text = stringifyJson({ code, message });
      return retryAfterSeconds === undefined
        ? jsonReply(text, 400)
        : jsonReply(text, 429, { "retry-after": String(retryAfterSeconds) });
    }
    case "undecided":
      // No error code: clients treat a gateway's code as final, and this outcome is still open.
      return textReply(`${answer.reason}\n`, 502);
  }
}
