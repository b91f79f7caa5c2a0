/**
 * Subscribers of `websocket.bench.ts`, in a separate process. Each subscribes to blocks and to
 * events: to all, or to the transfers of one account. Prints `ready` once all have subscribed. The
 * next line on standard input is a block's number, then the expected number of events of a
 * subscriber to all, if known: once every subscriber has received that block and all before it,
 * prints a line of JSON, an array of {@link SubscriberReport}, and exits.
 *
 * Arguments: URL, number of the first subscriber, subscribers, number of subscribers to all events,
 * which are the first ones, first block (`-` for new ones only), key of the transfers, accounts.
 */
import { EventDigest, type SubscriberReport } from "./websocket-report.ts";

const [
  url = "",
  firstText = "0",
  countText = "0",
  allText = "0",
  from = "-",
  key = "",
  ...accounts
] = process.argv.slice(2);
const [first, count, all] = [firstText, countText, allText].map(Number) as [number, number, number];

/** Extracts a member without parsing the whole text, to leave the processor to the chain. */
function member(text: string, name: string): string {
  const at = text.indexOf(`"${name}":`) + name.length + 3;
  const isText = text[at] === '"';
  let end = at + 1;
  while (isText ? text[end] !== '"' : text[end] !== "," && text[end] !== "}") end++;
  return text.slice(isText ? at + 1 : at, end);
}

interface EventNotice {
  readonly block: number;
  readonly hash: string;
  readonly index: string;
}

class Subscriber {
  readonly index: number;
  readonly #digest = new EventDigest();
  #firstHead = -1;
  #lastHead = -1;
  #isBroken = false;
  #pending: EventNotice[] = [];
  #closed: number | null = null;
  #answers = 0;
  readonly subscribed: Promise<void>;

  constructor(index: number) {
    this.index = index;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.subscribed = promise;
    const socket = new WebSocket(url);
    const block = from === "-" ? {} : { block_id: { block_number: Number(from) } };
    const keys = index < all ? [] : [[key], [accounts[index % accounts.length]]];
    socket.addEventListener("open", () => {
      const ask = (id: number, method: string, params: unknown): void =>
        socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: `starknet_${method}`, params }));
      ask(1, "subscribeNewHeads", block);
      ask(2, "subscribeEvents", { ...block, keys });
    });
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      if (text.includes('"id":')) {
        if (text.includes('"error":')) process.stderr.write(`subscriber ${index}: ${text}\n`);
        if (++this.#answers === 2) resolve();
      } else this.#told(text);
    });
    socket.addEventListener("close", ({ code }) => {
      this.#closed = code;
      resolve();
    });
  }

  #told(text: string): void {
    const block = Number(member(text, "block_number"));
    if (text.includes('"starknet_subscriptionNewHeads"')) {
      if (this.#firstHead === -1) this.#firstHead = block;
      else if (block !== this.#lastHead + 1) this.#isBroken = true;
      this.#lastHead = block;
    } else {
      const [hash, index] = [member(text, "transaction_hash"), member(text, "event_index")];
      this.#pending.push({ block, hash, index });
    }
    if (this.#pending.length > 1_000) this.#settle(this.#pending.splice(0, 500));
  }

  #settle(events: readonly EventNotice[]): void {
    for (const { hash, index } of events) this.#digest.add(hash, index);
  }

  /** Whether it has received a block and all before it, or its connection is closed. */
  hasHeard(block: number, events: number | undefined): boolean {
    if (this.#closed !== null) return true;
    // The next block follows all events of this one; older events arrive independently.
    if (events === undefined) return this.#lastHead > block;
    return this.#lastHead >= block && this.#digest.count + this.#pending.length >= events;
  }

  report(block: number): SubscriberReport {
    this.#settle(this.#pending.filter((event) => event.block <= block));
    return {
      index: this.index,
      heads: this.#isBroken ? 0 : block - this.#firstHead + 1,
      events: this.#digest.count,
      digest: this.#digest.text,
      closed: this.#closed,
    };
  }
}

const subscribers: Subscriber[] = [];
for (let i = 0; i < count; i++) {
  subscribers.push(new Subscriber(first + i));
  // Batches of handshakes: the queue of the listening socket is not measured.
  if (i % 20 === 19) await Promise.all(subscribers.map(({ subscribed }) => subscribed));
}
await Promise.all(subscribers.map(({ subscribed }) => subscribed));
console.log("ready");
const { value } = await Bun.stdin.stream().getReader().read();
const [block = 0, events] = new TextDecoder().decode(value).trim().split(" ").map(Number);
while (!subscribers.every((subscriber) => subscriber.hasHeard(block, events))) await Bun.sleep(50);
console.log(JSON.stringify(subscribers.map((subscriber) => subscriber.report(block))));
process.exit(0);
