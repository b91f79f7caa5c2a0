import { convert, type Decoder, ethAddress, text } from "#base/codec/index.ts";
import { optional, required } from "../../method.ts";
import { devnetMethod } from "../devnet-context.ts";
import { DevnetFault } from "../fault.ts";

/** Digits of an Ethereum address. */
const ADDRESS_DIGITS = 40;

/** Longest URL of an L1 node that is taken. */
const MAX_URL = 2_048;

/** The URL of an L1 node's JSON-RPC. */
const networkUrl: Decoder<string> = convert(
  text,
  `http, https, ws or wss URL of at most ${MAX_URL} characters`,
  (url) => {
    if (url.length > MAX_URL || !URL.canParse(url)) return undefined;
    return /^(https?|wss?):$/.test(new URL(url).protocol) ? url : undefined;
  },
);

/** A private key; of its value nothing is kept. */
const privateKey: Decoder<true> = convert(text, "private key (0x and 64 hex digits)", (key) =>
  /^0x[\da-f]{64}$/i.test(key) ? true : undefined,
);

/** devnet_postmanLoad. */
export const postmanLoad = devnetMethod({
  name: "devnet_postmanLoad",
  family: "write",
  runsOn: "main",
  summary: "Tells where the messaging contract of the imitated L1 stands; no L1 is asked.",
  params: () => ({
    network_url: required(networkUrl),
    messaging_contract_address: optional(ethAddress, undefined),
    deployer_account_private_key: optional(privateKey, undefined),
  }),
  result: () => (contract: bigint) => ({ messaging_contract_address: addressText(contract) }),
  errors: [],
  handler(context, { messaging_contract_address: named, deployer_account_private_key: key }) {
    const contract = context.devnet.messagingContract;
    if (named !== undefined && key !== undefined) {
      throw new DevnetFault(
        "deployer_account_private_key: expected none where messaging_contract_address is given",
      );
    }
    if (named !== undefined && named !== contract) {
      throw new DevnetFault(
        `The specified address (${addressText(named)}) contains no contract: L1 is only imitated here, its messaging contract is ${addressText(contract)}`,
      );
    }
    return contract;
  },
});

function addressText(address: bigint): string {
  return `0x${address.toString(16).padStart(ADDRESS_DIGITS, "0")}`;
}
