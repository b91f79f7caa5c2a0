import { bool } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { optional, required } from "../../method.ts";
import { MAX_TIMESTAMP, timestamp } from "../codecs.ts";
import { devnetMethod, newestTimestamp } from "../devnet-context.ts";
import { requireFrom } from "../require-from.ts";

/**
 * JSON-RPC method `devnet_setTime`: sets the timestamp of the next block and creates it; time
 * continues from there.
 */
export const setTime = devnetMethod({
  name: "devnet_setTime",
  family: "write",
  runsOn: "main",
  summary: "Sets the timestamp of the next block and creates it; time continues from there.",
  params: () => ({ time: required(timestamp), generate_block: optional(bool, true) }),
  result:
    () => (answer: { readonly block_timestamp: number; readonly block_hash: string | null }) =>
      answer,
  errors: [],
  async handler(context, { time, generate_block: generate }) {
    requireFrom("time", time, newestTimestamp(context), MAX_TIMESTAMP);
    const { devnet } = context;
    if (!generate) {
      await devnet.setTime(time);
      return { block_timestamp: time, block_hash: null };
    }
    const { hash } = await devnet.createTimedBlock({ kind: "setTime", timestamp: time });
    return { block_timestamp: time, block_hash: hexFromFelt(hash) };
  },
});
