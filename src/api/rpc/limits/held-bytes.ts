import type { Timer } from "#base/primitives/index.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./fair-queue.ts";
import { HeldWork, RoomWaits } from "./held-work.ts";

/** An address has room while it holds less than so many times what is free. */
const SHARE = 4;

/** Parts of the budget up to which exceptions are made. */
const UP_TO = {
  /** A connection that holds less than {@link LITTLE} has room whatever its address holds. */
  idle: 0.85,
  /** Any request may be favoured, and others have their turn before it ends. */
  favouring: 0.9,
  /** An address that holds less than {@link LITTLE} has room, whatever the fullest address holds. */
  newcomer: 1.5,
} as const;

/** Parts of the budget that count as hardly anything. */
const LITTLE = { ofConnection: 1 / 1_024, ofAddress: 1 / 64 } as const;

/** The budget is short above this part of it: clients that do not read are dropped. */
const SHORT_PART = 0.75;

/** How long freed bytes are collected before those who wait for them continue, in milliseconds. */
const WAKE_MS = 5;

/** How often {@link HeldBytes.check} is to be called. */
export const HELD_CHECK_MS = 100;

/** Longest time that one client is favoured while others wait, in milliseconds. */
const FAVOUR_MS = 1_000;

/** What a {@link HeldBytes} works with. */
export interface HeldBytesOptions {
  readonly maxBytes: number;
  /** A request that waits longer for room is refused. */
  readonly patienceMs: number;
  readonly timer: Timer;
}

/** What is held for an address. */
interface AddressBytes {
  bytes: number;
  readonly clients: Map<Client, number>;
}

/**
 * All bytes that a process holds for its clients: requests that arrive or are read, responses in the making,
 * and what waits for a client to read it. Work that would add to them asks {@link hasRoom} before it starts.
 *
 * Below half of the budget everybody has room. Above it an address has room while it holds less than four
 * times what is free (dynamic thresholds, Choudhury and Hahne 1998): one alone gets four fifths of the budget,
 * and something stays free for others. A connection that holds hardly anything gets a little more beside the
 * full ones of its address, and an address that holds hardly anything has room even where the budget is
 * spent. Bytes themselves are counted and never refused, so the total passes the budget by what is in flight.
 *
 * A batch that holds responses and has no room cannot free them: one of those is favoured at a time and
 * continues all the same, however little is left; others wait for their turn, and end as refused when that takes
 * too long.
 */
export class HeldBytes {
  readonly #options: HeldBytesOptions;
  readonly #addresses = new Map<string, AddressBytes>();
  readonly #waits: RoomWaits;
  readonly #freed: (() => void)[] = [];
  readonly #short: (() => void)[] = [];
  /** Clients with requests in progress, and how many. */
  readonly #working = new Map<Client, number>();
  /** Clients that found no room while another one was favoured. */
  readonly #wanting = new Set<Client>();
  #favoured: Client | undefined;
  #favouredSinceMs = 0;
  #bytes = 0;
  #isWaking = false;

  constructor(options: HeldBytesOptions) {
    this.#options = options;
    this.#waits = new RoomWaits(options.patienceMs, options.timer);
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether so little is free that clients which do not read have to leave. */
  get isShort(): boolean {
    return this.#bytes > this.#options.maxBytes * SHORT_PART;
  }

  /** Bytes that are held for an address. */
  bytesOf(address: string): number {
    return this.#addresses.get(address)?.bytes ?? 0;
  }

  /** So many bytes more are held for a client, or fewer. */
  change(client: Client, bytes: number): void {
    if (bytes === 0) return;
    const address = this.#addresses.get(client.address) ?? { bytes: 0, clients: new Map() };
    const own = (address.clients.get(client) ?? 0) + bytes;
    if (own === 0) address.clients.delete(client);
    else address.clients.set(client, own);
    address.bytes += bytes;
    if (address.clients.size === 0) this.#addresses.delete(client.address);
    else this.#addresses.set(client.address, address);
    const wasTight = this.#isTight;
    this.#bytes += bytes;
    if (bytes < 0 && wasTight) this.#wakeSoon();
  }

  /** Whether work that adds bytes may start for a client. */
  hasRoom(client: Client): boolean {
    if (!this.#isTight) return true;
    const { maxBytes } = this.#options;
    const address = this.#addresses.get(client.address);
    const addressBytes = address?.bytes ?? 0;
    const isBelow = (part: number): boolean => this.#bytes < maxBytes * part;
    if (addressBytes < SHARE * (maxBytes - this.#bytes)) return true;
    if (addressBytes < LITTLE.ofAddress * maxBytes) {
      return this.#bytes - this.#fullestBytes() < maxBytes * UP_TO.newcomer;
    }
    const own = address?.clients.get(client) ?? 0;
    const isIdle = own < LITTLE.ofConnection * maxBytes;
    if (isIdle && isBelow(UP_TO.idle)) return true;
    // Where little is left, only those are favoured whose end frees bytes.
    return (!isIdle || isBelow(UP_TO.favouring)) && this.#favours(client);
  }

  /**
   * A request of a client is in progress; the work is to be ended. Where there is no room, a client that has left
   * is not waited for: what its request has not started is refused, and its bytes are freed.
   */
  begin(caller: Pick<Caller, "address" | "hasLeft">): HeldWork {
    this.#working.set(caller, (this.#working.get(caller) ?? 0) + 1);
    const hasRoom = (): boolean => this.hasRoom(caller);
    return new HeldWork({
      change: (bytes) => this.change(caller, bytes),
      hasRoom,
      wait: () => this.#waits.add({ hasRoom, hasLeft: () => caller.hasLeft }),
      end: () => this.#end(caller),
    });
  }

  /** @param callback - called after bytes were freed where somebody may have had no room */
  onFreed(callback: () => void): void {
    this.#freed.push(callback);
  }

  /** @param callback - called again and again while the budget is short: may free bytes */
  onShort(callback: () => void): void {
    this.#short.push(callback);
  }

  /** Ends waits that take too long, and lets others have their turn. To be called again and again. */
  check(): void {
    const nowMs = this.#options.timer.nowMs();
    if (this.isShort) for (const free of this.#short) free();
    const isOver = this.#favoured !== undefined && nowMs - this.#favouredSinceMs >= FAVOUR_MS;
    const [next] = this.#wanting;
    // Each favoured request adds bytes: where little is left, it has to end and free them first.
    const mayChange = this.#bytes < this.#options.maxBytes * UP_TO.favouring;
    if (isOver && mayChange && next !== undefined) {
      this.#favour(next);
      this.#wakeSoon();
    }
    this.#waits.check();
    this.#waits.wake();
  }

  get #isTight(): boolean {
    return this.#bytes * 2 > this.#options.maxBytes;
  }

  /** Bytes of the address that holds most. */
  #fullestBytes(): number {
    let most = 0;
    for (const { bytes } of this.#addresses.values()) most = Math.max(most, bytes);
    return most;
  }

  #favours(client: Client): boolean {
    if (!this.#working.has(client)) return false;
    if (this.#favoured === undefined) this.#favour(client);
    if (this.#favoured !== client) this.#wanting.add(client);
    return this.#favoured === client;
  }

  #favour(client: Client): void {
    this.#favoured = client;
    this.#favouredSinceMs = this.#options.timer.nowMs();
    this.#wanting.clear();
  }

  #end(client: Client): void {
    const left = (this.#working.get(client) ?? 1) - 1;
    if (left > 0) {
      this.#working.set(client, left);
      return;
    }
    this.#working.delete(client);
    this.#wanting.delete(client);
    if (this.#favoured !== client) return;
    this.#favoured = undefined;
    this.#wakeSoon();
  }

  #wakeSoon(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    this.#options.timer.after(WAKE_MS, () => {
      this.#isWaking = false;
      this.#waits.wake();
      for (const freed of this.#freed) freed();
    });
  }
}
