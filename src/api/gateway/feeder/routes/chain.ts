import { textReply } from "#api/rpc/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { writeContractAddresses, writePublicKey } from "#io/feeder/index.ts";
import type { GatewayRoute } from "../../app.ts";
import type { FeederDeps } from "../deps.ts";
import { blockNotFound, malformed } from "../fault.ts";
import { shown } from "../query.ts";
import { pointReply } from "../reply.ts";
import { feederRoute } from "./route.ts";

/**
 * Routes about the whole chain: public key, contract addresses, and lookups between block numbers and hashes.
 */
export function chainRoutes({ context, identity }: FeederDeps): readonly GatewayRoute[] {
  const { chain } = context;
  return [
    feederRoute("get_public_key", (request) => {
      const key = identity.publicKey();
      return key === undefined
        ? textReply("The block signing key is not known yet.\n", 503, { "retry-after": "1" })
        : pointReply(request, writePublicKey(key));
    }),
    feederRoute("get_contract_addresses", (request) =>
      pointReply(request, writeContractAddresses(identity.addresses, identity.verifier)),
    ),
    feederRoute("get_block_hash_by_id", (request, query) => {
      const id = query.number("blockId") ?? malformed("Field blockId is required.");
      const count = (chain.latestNumber() ?? -1) + 1;
      const header = id < count ? chain.header(Number(id)) : undefined;
      return header === undefined
        ? malformed(
            `Block ID should be in the range [${chain.oldestBlock()}, ${count}); got: ${id}.`,
          )
        : pointReply(request, hexFromFelt(header.hash));
    }),
    feederRoute("get_block_id_by_hash", (request, query) => {
      const hash = query.felt("blockHash", "Block hash", "OUT_OF_RANGE_BLOCK_HASH");
      if (hash === undefined) return malformed("Block hash must be given.");
      const number = chain.numberByHash(hash);
      const asSent = shown(query.text("blockHash") ?? "");
      return number === undefined
        ? blockNotFound(`Block hash ${asSent} does not exist.`)
        : pointReply(request, number);
    }),
  ];
}
