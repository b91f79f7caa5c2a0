import { createMethodTables, type RpcContext } from "#api/rpc/index.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { createDispatcher, type DispatchOptions } from "#api/rpc/dispatch.ts";

const [newest] = createMethodTables();

/** The parsed response to a body; `undefined` when there is none. */
export async function respondTo(
  body: string,
  options: Partial<DispatchOptions> = {},
): Promise<unknown> {
  const dispatcher = createDispatcher({ context: sampleContext(), ...options });
  const response = await dispatcher.handle(body, newest);
  if (response === undefined) return undefined;
  return JSON.parse(typeof response === "string" ? response : new TextDecoder().decode(response));
}

/** A call of `blockNumber` with the given members instead. */
export const requestText = (members: Record<string, unknown>): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 7, method: "starknet_blockNumber", ...members });

/** A context whose database fails with a text that nobody may see. */
export const failing: RpcContext = {
  ...sampleContext(),
  get chain(): never {
    throw new RangeError("disk image is malformed at SELECT secret");
  },
};
