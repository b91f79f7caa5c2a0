import { isJsonObject, parseJson, stringifyJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { type DevnetContext, newestNumber } from "../devnet-context.ts";
import { DevnetFault } from "../fault.ts";
import type { DumpAccess } from "./access.ts";
import { type DumpedBlock, dumpedBlocks } from "./blocks.ts";
import type { RequestId } from "../../json-rpc.ts";
import type { DevnetFork } from "../access.ts";
import { forkEntry, MARKS, MAX_DUMP_ENTRIES } from "./entry.ts";
import type { NumberedRequest } from "./recorder.ts";
import { requestOf } from "./request-of.ts";
import { SortedRequests } from "./sorted-requests.ts";

/**
 * Creates the dump of a chain: the requests that have changed it since its genesis, in an order that
 * reproduces the same blocks. Entries in between mark where blocks begin and end. Waits first for received
 * transactions to be executed.
 *
 * @returns JSON text of an array; `[]` if nothing has changed the chain
 * @throws {DevnetFault} when some of the requests are unknown, or there are too many
 */
export async function composeDump(context: DevnetContext, dumps: DumpAccess): Promise<string> {
  requestsOf(dumps);
  await context.devnet.settle();
  await dumps.accepted(newestNumber(context));
  const dump = new Composition(new SortedRequests(requestsOf(dumps)));
  for await (const block of dumpedBlocks(context)) dump.addBlock(block);
  dump.addRest();
  for (const request of dump.requests.unplaced()) {
    const waits = await context.mempool.find(request.hash ?? 0n);
    if (waits !== undefined) dump.add(request, MARKS.waiting);
  }
  return `[${dump.finish(context.devnet.fork).join(",")}]`;
}

function requestsOf({ recorder }: DumpAccess): readonly NumberedRequest[] {
  if (recorder.lacking !== null) throw new DevnetFault(recorder.lacking);
  return recorder.requests();
}

class Composition {
  readonly #texts: string[] = [];
  readonly requests: SortedRequests;
  #parentTimestamp = 0;

  constructor(requests: SortedRequests) {
    this.requests = requests;
  }

  addBlock(block: DumpedBlock): void {
    const { number, timestamp, hashes, isSealed } = block;
    for (const request of this.requests.before(number)) this.add(request);
    const writes = this.requests.writesOf(number);
    // With interval mining, an open block exists before it contains anything.
    if (!isSealed && hashes.length === 0 && writes.length === 0) return;
    const maker = isSealed ? this.requests.makerOf(number) : undefined;
    const increase = increaseOf(maker);
    const openedAt = timestamp - increase;
    // The content was executed with this timestamp, and must be replayed with the same.
    const isEmpty = hashes.length === 0 && writes.length === 0;
    const isExact = (increase === 0 || isEmpty) && openedAt >= this.#parentTimestamp;
    const params = { time: isExact ? openedAt : timestamp, generate_block: false };
    this.#push("devnet_setTime", stringifyJson(params), MARKS.open);
    for (const [index, hash] of hashes.entries()) {
      const request = this.requests.placed(hash);
      if (request !== undefined) this.#addInTurn(request, hexFromFelt(hash));
      else this.#addUnknown(block, index);
    }
    for (const write of writes) this.#addInTurn(write);
    if (maker !== undefined && isExact) this.add(maker);
    else if (isSealed) this.#push("devnet_createBlock", "{}", MARKS.seal);
    this.#parentTimestamp = timestamp;
  }

  addRest(): void {
    for (const request of this.requests.before(Infinity)) this.add(request);
  }

  add({ method, params }: NumberedRequest, id: string | number = this.#texts.length): void {
    this.#push(method, params, id);
  }

  /** Returns the texts of all entries, before them that of the fork; none if nothing was added. */
  finish(fork: DevnetFork | null): readonly string[] {
    if (fork === null || this.#texts.length === 0) return this.#texts;
    const { method, params, id } = forkEntry(fork);
    return [textOf(method, stringifyJson(params ?? {}), id), ...this.#texts];
  }

  #addInTurn(request: NumberedRequest, id?: string): void {
    for (const earlier of this.requests.immediateBefore(request.number)) this.add(earlier);
    this.add(request, id);
  }

  #addUnknown(block: DumpedBlock, index: number): void {
    const transaction = block.transactionAt(index);
    if (transaction === undefined) throw new DevnetFault("the chain was reverted meanwhile");
    const { method, params } = requestOf(transaction);
    this.#push(method, stringifyJson(params), hexFromFelt(transaction.hash));
  }

  #push(method: string, params: string, id: string | number): void {
    if (this.#texts.length >= MAX_DUMP_ENTRIES) {
      throw new DevnetFault(`the dump would have more than ${MAX_DUMP_ENTRIES} entries`);
    }
    this.#texts.push(textOf(method, params, id));
  }
}

function textOf(method: string, params: string, id: RequestId): string {
  const [name, idText] = [JSON.stringify(method), JSON.stringify(id)];
  return `{"jsonrpc":"2.0","method":${name},"params":${params},"id":${idText}}`;
}

/** Returns the seconds by which the request for a block has advanced the clock. */
function increaseOf(maker: NumberedRequest | undefined): number {
  if (maker?.method !== "devnet_increaseTime") return 0;
  const params = parseJson(maker.params);
  const time = Array.isArray(params) ? params[0] : isJsonObject(params) ? params["time"] : 0;
  return typeof time === "number" ? time : 0;
}
