import { addressKey } from "../limits/caller.ts";
import { ConnectionLimit, type ConnectionLimits } from "../limits/connection-limit.ts";
import { HttpConnection } from "./connection.ts";
import type { HttpSocket } from "./output.ts";
import { RefusedConnection } from "./refused-connection.ts";
import type { Connection, HttpService } from "./service.ts";

/** Connections that are told at a time that there is no room; more are closed without a word. */
const MAX_REFUSED = 64;

/** An open connection, and what is to be done once it is gone. */
export interface Entered {
  readonly connection: Connection;
  readonly leave: () => void;
}

/** Decides over each new connection. */
export class ConnectionRoom {
  readonly #limit: ConnectionLimit;
  readonly #service: HttpService;
  #refused = 0;

  constructor(limits: ConnectionLimits, service: HttpService) {
    this.#limit = new ConnectionLimit(limits);
    this.#service = service;
  }

  /** @returns `undefined` when the connection is to be closed at once */
  enter(socket: HttpSocket): Entered | undefined {
    const address = addressKey(socket.remoteAddress ?? "");
    const refusal = this.#limit.enter(address);
    if (refusal === undefined) {
      return {
        connection: new HttpConnection(socket, this.#service),
        leave: () => this.#limit.leave(address),
      };
    }
    if (this.#refused >= MAX_REFUSED) return undefined;
    this.#refused++;
    return {
      connection: new RefusedConnection(socket, refusal),
      leave: () => {
        this.#refused--;
      },
    };
  }
}
