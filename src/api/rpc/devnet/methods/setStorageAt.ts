import { felt } from "#base/codec/index.ts";
import { required } from "../../method.ts";
import { writableAddress } from "../codecs.ts";
import { devnetMethod } from "../devnet-context.ts";

/**
 * JSON-RPC method `dev_setStorageAt`: writes a storage variable of a contract without a
 * transaction.
 */
export const setStorageAt = devnetMethod({
  name: "dev_setStorageAt",
  family: "write",
  runsOn: "main",
  summary: "Writes a storage variable of a contract without a transaction.",
  params: (spec) => ({
    contract_address: required(writableAddress),
    key: required(spec.storageKey),
    value: required(felt),
  }),
  result: () => () => null,
  errors: [],
  handler: (context, { contract_address: address, key, value }) =>
    context.devnet.setStorage({ contractAddress: address, key, value }),
});
