import { createMethodTables } from "#api/rpc/index.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { answerText, dispatcherOf, type DispatcherParts, type WholeContext } from "./serving.ts";

const [newest] = createMethodTables();

/** What a test of a dispatcher wants to be special, its context too. */
export interface RespondOptions extends DispatcherParts<WholeContext> {
  readonly context?: WholeContext;
}

/** The parsed response to a body; `undefined` when there is none. */
export async function respondTo(
  body: string,
  { context = sampleContext(), ...parts }: RespondOptions = {},
): Promise<unknown> {
  const text = await answerText(dispatcherOf(context, parts), body, newest);
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

/** A call of `blockNumber` with the given members instead. */
export const requestText = (members: Record<string, unknown>): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, method: "starknet_blockNumber", ...members });

/** A context whose database fails with a text that nobody may see. */
export const failing: WholeContext = {
  ...sampleContext(),
  get chain(): never {
    throw new RangeError("disk image is malformed at SELECT secret");
  },
};
