import { EndpointFault, nonsense } from "../endpoint/fault.ts";
import type { FeeHistory } from "../endpoint/rpc-endpoint.ts";
import type { FeeQuote } from "../types.ts";
import type { Member } from "./member.ts";
import type { L1SourceOptions } from "./options.ts";

/**
 * Reads the gas prices of an endpoint from its fee history. Without a history, or without blob fees in it, it
 * reads current prices instead. An endpoint without a history is reported once.
 */
export class FeeQuotes {
  readonly #onNoFeeHistory: L1SourceOptions["onNoFeeHistory"];
  readonly #withoutHistory = new Set<string>();

  constructor({ onNoFeeHistory }: Pick<L1SourceOptions, "onNoFeeHistory">) {
    this.#onNoFeeHistory = onNoFeeHistory;
  }

  /** @throws {EndpointFault} when the endpoint reports no gas price */
  async quote(member: Member): Promise<FeeQuote> {
    const { endpoint, name } = member;
    if (this.#withoutHistory.has(name)) return currentQuote(member);
    let history: FeeHistory;
    try {
      history = await endpoint.feeHistory();
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      const quote = await currentQuote(member);
      this.#withoutHistory.add(name);
      this.#onNoFeeHistory(name, cause.message);
      return quote;
    }
    const quote = historyQuote(name, history);
    if (quote.l1DataGasWei !== undefined) return quote;
    const current = await optional(currentQuote(member));
    return current?.l1DataGasWei === undefined ? quote : current;
  }
}

async function currentQuote({ endpoint, name }: Member): Promise<FeeQuote> {
  const [l1GasWei, l1DataGasWei] = await Promise.all([
    endpoint.gasPrice(),
    optional(endpoint.blobBaseFee()),
  ]);
  return { endpoint: name, l1GasWei, l1DataGasWei };
}

function historyQuote(endpoint: string, { baseFees, blobBaseFees }: FeeHistory): FeeQuote {
  const l1GasWei = baseFees.at(-1);
  if (l1GasWei === undefined) throw nonsense(`${endpoint} has no base fee`);
  // Blocks before the introduction of blobs have 0; afterwards the fee is at least 1.
  const fees = blobBaseFees.filter((fee) => fee > 0n);
  const sum = fees.reduce((total, fee) => total + fee, 0n);
  return {
    endpoint,
    l1GasWei,
    l1DataGasWei: fees.length === 0 ? undefined : sum / BigInt(fees.length),
  };
}

/** @returns the response; `undefined` if the endpoint rejects the method */
async function optional<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (cause) {
    if (isRefusal(cause)) return undefined;
    throw cause;
  }
}

function isRefusal(cause: unknown): cause is EndpointFault {
  return cause instanceof EndpointFault && cause.kind === "refused";
}
