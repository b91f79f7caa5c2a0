import type { Timer } from "#base/primitives/index.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./fair-queue.ts";
import { HeldWork, RoomWaits } from "./held-work.ts";

/** An address has room while it holds less than this many times the free bytes. */
const SHARE = 4;

/** Fractions of the budget up to which exceptions are made. */
const UP_TO = {
  /** Below this, a connection that holds less than {@link LITTLE} has room, whatever its address holds. */
  idle: 0.85,
  /** Below this, any request may be favoured, and the favoured one may change before its request ends. */
  favouring: 0.9,
  /** Below this (without the fullest address), an address that holds less than {@link LITTLE} has room. */
  newcomer: 1.5,
} as const;

/** Fractions of the budget that count as negligible. */
const LITTLE = { ofConnection: 1 / 1_024, ofAddress: 1 / 64 } as const;

/** Above this fraction the budget is short: clients that do not read are dropped. */
const SHORT_PART = 0.75;

/** Time for which freed bytes are collected before waiting requests continue, in milliseconds. */
const WAKE_MS = 5;

/** Interval at which {@link HeldBytes.check} is to be called. */
export const HELD_CHECK_MS = 100;

/** Maximum time that one client is favoured while others wait, in milliseconds. */
const FAVOUR_MS = 1_000;

/** Options of {@link HeldBytes}. */
export interface HeldBytesOptions {
  readonly maxBytes: number;
  /** A request that waits longer for room is refused. */
  readonly patienceMs: number;
  readonly timer: Timer;
}

/** Bytes held for an address. */
interface AddressBytes {
  bytes: number;
  readonly clients: Map<Client, number>;
}

/**
 * All bytes that a process holds for its clients: requests that arrive or are read, responses in progress,
 * and output that waits for a client to read it. Work that would add bytes checks {@link hasRoom} before it
 * starts.
 *
 * Below half of the budget everybody has room. Above it, an address has room while it holds less than four
 * times the free bytes (dynamic thresholds, Choudhury and Hahne 1998): a single address gets four fifths of
 * the budget, and some stays free for others. A connection that holds almost nothing gets a little more, even
 * if its address is full. An address that holds almost nothing has room even if the budget is spent. Bytes
 * themselves are counted and never refused, so the total exceeds the budget by the bytes in flight.
 *
 * A batch that holds responses and has no room cannot free them. One such client is favoured at a time and
 * continues regardless, however little is left. Others wait for their turn, and are refused if that takes too
 * long.
 */
export class HeldBytes {
  readonly #options: HeldBytesOptions;
  readonly #addresses = new Map<string, AddressBytes>();
  readonly #waits: RoomWaits;
  readonly #freed: (() => void)[] = [];
  readonly #short: (() => void)[] = [];
  /** Clients with requests in progress, and the number of those requests. */
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

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether so little is free that clients that do not read must be dropped. */
  get isShort(): boolean {
    return this.#bytes > this.#options.maxBytes * SHORT_PART;
  }

  bytesOf(address: string): number {
    return this.#addresses.get(address)?.bytes ?? 0;
  }

  /** Adds to the bytes held for a client; negative to subtract. */
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
    // If little is left, only clients that free bytes when they end are favoured.
    return (!isIdle || isBelow(UP_TO.favouring)) && this.#favours(client);
  }

  /**
   * Registers a request of a client; the returned work must be ended. Without room, a client that has
   * disconnected is not waited for: the unstarted part of its request is refused, and its bytes are freed.
   */
  begin(caller: Pick<Caller, "address" | "isDisconnected">): HeldWork {
    this.#working.set(caller, (this.#working.get(caller) ?? 0) + 1);
    const hasRoom = (): boolean => this.hasRoom(caller);
    return new HeldWork({
      change: (bytes) => this.change(caller, bytes),
      hasRoom,
      wait: () => this.#waits.add({ hasRoom, isDisconnected: () => caller.isDisconnected }),
      end: () => this.#end(caller),
    });
  }

  /** @param callback - called after bytes were freed, if some request may have had no room */
  onFreed(callback: () => void): void {
    this.#freed.push(callback);
  }

  /** @param callback - called periodically while the budget is short; may free bytes */
  onShort(callback: () => void): void {
    this.#short.push(callback);
  }

  /**
   * Ends waits that take too long, and rotates the favoured client. Must be called every
   * {@link HELD_CHECK_MS}.
   */
  check(): void {
    const nowMs = this.#options.timer.nowMs();
    if (this.isShort) for (const free of this.#short) free();
    const isOver = this.#favoured !== undefined && nowMs - this.#favouredSinceMs >= FAVOUR_MS;
    const [next] = this.#wanting;
    // Each favoured request adds bytes. If little is left, it must end and free them before the next one is
    // favoured.
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

  /** Bytes of the address that holds the most. */
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
