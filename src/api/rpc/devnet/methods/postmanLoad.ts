import { convert, type Decoder, ethAddress, text } from "#base/codec/index.ts";
import { optional, required } from "../../method.ts";
import { devnetMethod } from "../devnet-context.ts";
import { DevnetFault } from "../fault.ts";

const ADDRESS_DIGITS = 40;

const MAX_URL = 2_048;

const networkUrl: Decoder<string> = convert(
  text,
  `http or https URL of at most ${MAX_URL} characters`,
  (url) => {
    if (url.length > MAX_URL || !URL.canParse(url)) return undefined;
    return /^https?:$/.test(new URL(url).protocol) ? url : undefined;
  },
);

const privateKey: Decoder<`0x${string}`> = convert(
  text,
  "private key (0x and 64 hex digits)",
  (key) => (/^0x[\da-f]{64}$/i.test(key) ? (key as `0x${string}`) : undefined),
);

/**
 * JSON-RPC method `devnet_postmanLoad`: uses or deploys the contract on an L1 through which
 * devnet_postmanFlush sends messages.
 */
export const postmanLoad = devnetMethod({
  name: "devnet_postmanLoad",
  family: "write",
  runsOn: "main",
  summary:
    "Uses or deploys the contract on an L1 through which devnet_postmanFlush sends messages.",
  params: () => ({
    network_url: required(networkUrl),
    messaging_contract_address: optional(ethAddress, undefined),
    deployer_account_private_key: optional(privateKey, undefined),
  }),
  result: () => (contract: bigint) => ({ messaging_contract_address: addressText(contract) }),
  errors: [],
  handler(context, { network_url: url, messaging_contract_address: address, ...rest }) {
    const { deployer_account_private_key: key } = rest;
    if (address !== undefined && key !== undefined) {
      throw new DevnetFault(
        "deployer_account_private_key: expected none where messaging_contract_address is given",
      );
    }
    return context.devnet.loadMessaging({ url, address, privateKey: key });
  },
});

function addressText(address: bigint): string {
  return `0x${address.toString(16).padStart(ADDRESS_DIGITS, "0")}`;
}
