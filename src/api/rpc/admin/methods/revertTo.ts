import { felt } from "#base/codec/index.ts";
import { StorageError } from "#base/errors/index.ts";
import { reasonOfAbsence } from "../../block-id.ts";
import { required } from "../../method.ts";
import { COUNT, FELT, record } from "../../spec/schemas/common.ts";
import { DEVNET_CODES, DevnetFault } from "../../devnet/fault.ts";
import { adminMethod, encodeMadeBlock } from "../admin-context.ts";

/**
 * JSON-RPC method `appchain_revertTo`: reverts the chain to an accepted block: all blocks above it
 * are removed, with their effects. Transactions that wait for a block stay. The block is given by
 * hash, not by number, so that the operator cannot revert another chain by mistake.
 */
export const revertTo = adminMethod({
  name: "appchain_revertTo",
  family: "write",
  runsOn: "main",
  summary:
    "Reverts the chain to an accepted block: all blocks above it are removed, with their effects. Transactions that wait for a block stay.",
  params: () => ({ block_hash: required(felt) }),
  result:
    () =>
    ({ block, removed }: Reverted) => ({ ...encodeMadeBlock(block), removed }),
  answer: () => record({ block_number: COUNT, block_hash: FELT, removed: COUNT }),
  errors: ["BLOCK_NOT_FOUND"],
  async handler(context, { block_hash: hash }, fail): Promise<Reverted> {
    const { chain } = context;
    const { admin } = context;
    const absent = reasonOfAbsence(context, { kind: "hash", hash });
    const number = chain.numberByHash(hash) ?? fail("BLOCK_NOT_FOUND", absent);
    const check = (): void => {
      if (chain.numberByHash(hash) !== number) fail("BLOCK_NOT_FOUND");
      const settled = chain.l1AcceptedNumber() ?? -1;
      if (number >= settled) return;
      throw new DevnetFault(
        `blocks up to ${settled} are accepted on L1, which does not revert them`,
        DEVNET_CODES.unsupported,
      );
    };
    check();
    try {
      const removed = await admin.revertTo(number, check);
      return { block: { number, hash }, removed };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      // The chain is unchanged and continues: the operator needs the reason.
      throw new DevnetFault(error.message);
    }
  },
});

interface Reverted {
  readonly block: { readonly number: number; readonly hash: bigint };
  readonly removed: number;
}
