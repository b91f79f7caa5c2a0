import { bool, type JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { MessageToL1 } from "#protocol/chain/index.ts";
import { optional } from "../../method.ts";
import { devnetMethod } from "../devnet-context.ts";

/** What the L1 is called that is only imitated. */
const PROVIDER = "mock";

/** devnet_postmanFlush. */
export const postmanFlush = devnetMethod({
  name: "devnet_postmanFlush",
  family: "write",
  runsOn: "main",
  summary: "Tells the messages to L1 since the last flush; the imitated L1 sends none back.",
  params: () => ({ dry_run: optional(bool, false) }),
  result:
    () =>
    ({ messages, isDry }: Flushed): JsonValue => ({
      messages_to_l1: messages.map(({ fromAddress, toAddress, payload }) => ({
        from_address: hexFromFelt(fromAddress),
        to_address: hexFromFelt(toAddress),
        payload: payload.map((felt) => hexFromFelt(felt)),
      })),
      messages_to_l2: [],
      generated_l2_transactions: [],
      l1_provider: isDry ? "dry run" : PROVIDER,
    }),
  errors: [],
  handler(context, { dry_run: isDry }) {
    return { messages: context.devnet.flushMessages(isDry), isDry };
  },
});

interface Flushed {
  readonly messages: readonly MessageToL1[];
  readonly isDry: boolean;
}
