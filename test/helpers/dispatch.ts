import { createMethodTables } from "#api/rpc/index.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { answerText, dispatcherOf, type DispatcherParts, type FullContext } from "./serving.ts";

const [newest] = createMethodTables();

/** Settings of a dispatcher test, including its context. */
export interface RespondOptions extends DispatcherParts<FullContext> {
  readonly context?: FullContext;
}

/**
 * Answers a request body with a dispatcher.
 *
 * @returns the parsed response; `undefined` if the answer is empty
 */
export async function respondTo(
  body: string,
  { context = sampleContext(), ...parts }: RespondOptions = {},
): Promise<unknown> {
  const text = await answerText(dispatcherOf(context, parts), body, newest);
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

/** A `blockNumber` request with some members replaced. */
export const requestText = (members: Record<string, unknown>): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, method: "starknet_blockNumber", ...members });

/** RPC context whose database fails with a text that must not reach a client. */
export const failing: FullContext = {
  ...sampleContext(),
  get chain(): never {
    throw new RangeError("disk image is malformed at SELECT secret");
  },
};
