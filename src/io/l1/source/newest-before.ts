import { contradiction } from "../endpoint/fault.ts";
import type { RpcEndpoint } from "../endpoint/rpc-endpoint.ts";

/**
 * Finds the newest block older than a time.
 *
 * @returns `undefined` if none
 * @throws {EndpointFault} when the endpoint fails
 */
export async function newestBefore(
  endpoint: RpcEndpoint,
  unixSeconds: number,
): Promise<number | undefined> {
  const head = await endpoint.block("latest");
  if (head === undefined) return undefined;
  if (head.timestamp < unixSeconds) return head.number;
  const first = await timestampOf(endpoint, 0);
  if (first >= unixSeconds) return undefined;
  // Invariant: `below` is older than the time, `above` is not.
  let below = { number: 0, timestamp: first };
  let above = { number: head.number, timestamp: head.timestamp };
  for (let isGuess = true; above.number - below.number > 1; isGuess = !isGuess) {
    // Block times are mostly even, so interpolation finds the block in a few requests.
    const share = isGuess
      ? (unixSeconds - below.timestamp) / Math.max(1, above.timestamp - below.timestamp)
      : 0.5;
    const distance = Math.round((above.number - below.number) * share);
    const number = Math.min(above.number - 1, Math.max(below.number + 1, below.number + distance));
    const timestamp = await timestampOf(endpoint, number);
    if (timestamp < below.timestamp || timestamp > above.timestamp) {
      throw contradiction(`${endpoint.name} has a block ${number} that is out of order in time`);
    }
    if (timestamp < unixSeconds) below = { number, timestamp };
    else above = { number, timestamp };
  }
  return below.number;
}

async function timestampOf(endpoint: RpcEndpoint, number: number): Promise<number> {
  const block = await endpoint.block(number);
  if (block === undefined) throw contradiction(`${endpoint.name} has no block ${number}`);
  return block.timestamp;
}
