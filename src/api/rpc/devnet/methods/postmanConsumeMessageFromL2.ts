import { ethAddress } from "#base/codec/index.ts";
import { required } from "../../method.ts";
import { contractAddress, payload } from "../codecs.ts";
import { devnetMethod } from "../devnet-context.ts";
import { DevnetFault } from "../fault.ts";

const HASH_DIGITS = 64;

/**
 * JSON-RPC method `devnet_postmanConsumeMessageFromL2`: consumes a message of an accepted block on
 * an imitated L1.
 */
export const postmanConsumeMessageFromL2 = devnetMethod({
  name: "devnet_postmanConsumeMessageFromL2",
  family: "write",
  runsOn: "main",
  summary: "Consumes a message of an accepted block on an imitated L1.",
  params: () => ({
    from_address: required(contractAddress),
    to_address: required(ethAddress),
    payload: required(payload),
  }),
  result: () => (hash: bigint) => ({
    message_hash: `0x${hash.toString(16).padStart(HASH_DIGITS, "0")}`,
  }),
  errors: [],
  handler(context, { from_address: fromAddress, to_address: toAddress, payload: felts }) {
    const message = { fromAddress, toAddress, payload: felts };
    const hash = context.devnet.consumeMessage(message);
    if (hash === undefined) {
      throw new DevnetFault("Message is fully consumed or does not exist.");
    }
    return hash;
  },
});
