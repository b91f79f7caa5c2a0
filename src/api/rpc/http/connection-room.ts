import { addressKey } from "../limits/caller.ts";
import { ConnectionLimit, type ConnectionLimits } from "../limits/connection-limit.ts";
import { HttpConnection } from "./connection.ts";
import type { HttpSocket } from "./output.ts";
import { RefusedConnection } from "./refused-connection.ts";
import type { Connection, HttpService } from "./service.ts";

/** Connections that are told at a time that there is no room; more are closed without a word. */
const MAX_REFUSED = 64;

/** How long a list of connections that may give way is used: making one looks at all connections. */
const LIST_MS = 20;

/** An open connection, and what is to be done once it is gone. */
export interface Entered {
  readonly connection: Connection;
  /** May be called again. */
  readonly leave: () => void;
}

/**
 * Decides over each new connection. Where most places are taken, a connection is for one request; where
 * all are, connections give way that are open and ask nothing, the longest silent first: clients
 * connect again when they need to, and nobody can keep others out by holding on.
 */
export class ConnectionRoom {
  readonly #limit: ConnectionLimit;
  readonly #service: HttpService;
  readonly #max: number;
  readonly #entered = new Set<Entered>();
  /** Those that may give way, the first one last. */
  #expendable: Entered[] = [];
  #listedMs = -Infinity;
  #refused = 0;

  constructor(limits: ConnectionLimits, service: HttpService) {
    this.#limit = new ConnectionLimit(limits);
    this.#service = service;
    this.#max = limits.max;
  }

  /** @returns `undefined` when the connection is to be closed at once */
  enter(socket: HttpSocket): Entered | undefined {
    const address = addressKey(socket.remoteAddress ?? "");
    let refusal = this.#limit.enter(address);
    if (refusal !== undefined && this.#makeRoom(address)) refusal = this.#limit.enter(address);
    if (refusal === undefined) {
      const connection = new HttpConnection(socket, this.#service);
      const entered: Entered = {
        connection,
        leave: () => {
          if (!this.#entered.delete(entered)) return;
          this.#limit.leave(address);
          this.#count();
        },
      };
      this.#entered.add(entered);
      this.#count();
      return entered;
    }
    if (this.#refused >= MAX_REFUSED) return undefined;
    this.#refused++;
    let isHere = true;
    return {
      connection: new RefusedConnection(socket, refusal, this.#service),
      leave: () => {
        if (isHere) this.#refused--;
        isHere = false;
      },
    };
  }

  /** @returns whether a connection gave way */
  #makeRoom(address: string): boolean {
    if (!this.#limit.takesMoreOf(address)) return false;
    const nowMs = performance.now();
    if (nowMs - this.#listedMs > LIST_MS) this.#list(nowMs);
    for (let next = this.#expendable.pop(); next !== undefined; next = this.#expendable.pop()) {
      const isHere = this.#entered.has(next);
      if (!isHere || next.connection.expendable(nowMs) === undefined) continue;
      // Its place is free now, also where its socket tells later that it is closed.
      next.leave();
      next.connection.giveWay();
      return true;
    }
    return false;
  }

  #list(nowMs: number): void {
    this.#listedMs = nowMs;
    const found = [...this.#entered].flatMap((entered) => {
      const how = entered.connection.expendable(nowMs);
      return how === undefined ? [] : [{ entered, ...how }];
    });
    found.sort((a, b) => Number(b.mayAsk) - Number(a.mayAsk) || b.sinceMs - a.sinceMs);
    this.#expendable = found.map(({ entered }) => entered);
  }

  /** An eighth of the places is for who asks and goes again. */
  #count(): void {
    this.#service.isCrowded = this.#entered.size > this.#max - Math.floor(this.#max / 8);
  }
}
