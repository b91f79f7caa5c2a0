import { hexFromFelt } from "#base/primitives/index.ts";
import { required } from "../../method.ts";
import { MAX_TIMESTAMP, timestamp } from "../codecs.ts";
import { devnetMethod, newestTimestamp } from "../devnet-context.ts";
import { requireFrom } from "../require-from.ts";

/** JSON-RPC method `devnet_increaseTime`: advances the time of blocks, and creates a block. */
export const increaseTime = devnetMethod({
  name: "devnet_increaseTime",
  family: "write",
  runsOn: "main",
  summary: "Advances the time of blocks, and creates a block.",
  params: () => ({ time: required(timestamp) }),
  result:
    () => (answer: { readonly timestamp_increased_by: number; readonly block_hash: string }) =>
      answer,
  errors: [],
  async handler(context, { time }) {
    const { devnet } = context;
    const now = Math.max(devnet.timestamp(), newestTimestamp(context));
    requireFrom("time", time, 0, MAX_TIMESTAMP - now);
    const { hash } = await devnet.createTimedBlock({ kind: "increaseTime", seconds: time });
    return { timestamp_increased_by: time, block_hash: hexFromFelt(hash) };
  },
});
