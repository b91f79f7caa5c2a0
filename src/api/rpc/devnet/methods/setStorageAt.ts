import { convert, type Decoder, felt } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { required } from "../../method.ts";
import { contractAddress } from "../codecs.ts";
import { devnetMethod } from "../devnet-context.ts";

/** Lower addresses are reserved for contracts of the protocol, such as block hashes and aliases. */
const FIRST_ADDRESS = 0x10n;

const writableAddress: Decoder<Felt> = convert(
  contractAddress,
  "contract address (0x hex from 0x10 to 2^251 - 257)",
  (address) => (address >= FIRST_ADDRESS ? address : undefined),
);

/** dev_setStorageAt. */
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
