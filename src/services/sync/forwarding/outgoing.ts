import { DecodeError } from "#base/errors/index.ts";
import type { OutgoingTransaction } from "#io/feeder/index.ts";
import {
  type ClassContents,
  decodeContractClass,
  packLegacyClass,
  type Transaction,
} from "#protocol/chain/index.ts";

/**
 * Converts a transaction with its class, if it is a declaration, to the form in which it is sent to
 * a gateway.
 *
 * @param declared - class that the transaction declares
 * @throws {DecodeError} when no account can have sent it, or its class is missing
 */
export async function outgoingOf(
  transaction: Transaction,
  declared: ClassContents | undefined,
): Promise<OutgoingTransaction> {
  switch (transaction.type) {
    case "INVOKE":
    case "DEPLOY_ACCOUNT":
      return { kind: "transaction", transaction };
    case "DECLARE": {
      if (transaction.version === 0) break;
      if (declared === undefined) throw new DecodeError("declaration", "its class");
      const decoded = decodeContractClass(declared.contractClass);
      const contractClass = decoded.kind === "legacy" ? await packLegacyClass(decoded) : decoded;
      return { kind: "declaration", declaration: { transaction, contractClass } };
    }
    case "DEPLOY":
    case "L1_HANDLER":
      break;
  }
  throw new DecodeError("transaction.type", "a transaction that an account sends");
}
