import Ajv from "ajv";
import { expect } from "bun:test";
import type { AdminAccess } from "#api/rpc/index.ts";
import { openAdminListener, serveAdmin } from "#api/rpc/admin/server.ts";
import { createAdminTable } from "#api/rpc/admin/table.ts";
import { adminToken } from "#api/rpc/admin/token.ts";
import { SchemaComponents } from "#api/rpc/openrpc/components.ts";
import type { LogLevel } from "#base/telemetry/index.ts";
import { sampleContext } from "./sample-chain.ts";
import { localPool } from "./serving.ts";
import { roomyBytes } from "./held-bytes.ts";

/** Token that an {@link adminServer} accepts. */
export const ADMIN_TOKEN = "0123456789abcdef";

/** Hash of a transaction in the mempool of an {@link adminServer}. */
export const WAITING_HASH = 0x5n;

const TABLE = createAdminTable();

/** Returns the Authorization header with a token. */
export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** HTTP status and parsed body of a response of an {@link adminServer}. */
export interface AdminAnswer {
  readonly status: number;
  readonly body: { readonly result?: unknown; readonly error?: { code: number; data: unknown } };
}

/**
 * Serves the admin methods on a free port; `done` has their calls, `refused` the clients without a
 * token.
 */
export async function adminServer() {
  const held = roomyBytes();
  const listener = await openAdminListener(0, held);
  const before: { revert: () => void } = { revert: () => undefined };
  const { admin, done } = adminOf(before);
  const refused: string[] = [];
  const finished: unknown[] = [];
  const context = { ...sampleContext(), admin };
  serveAdmin({
    listener,
    token: adminToken(ADMIN_TOKEN, "test"),
    context,
    held,
    queryPool: localPool(context, [TABLE]),
    observer: {
      started: () => undefined,
      finished: (method, ok) => finished.push([method, ok]),
      internalError: () => undefined,
    },
    onRefused: (address) => refused.push(address),
  });

  /** Calls a method; its result must match its schema. */
  async function ask(
    method: string,
    params: unknown,
    headers = bearer(ADMIN_TOKEN),
  ): Promise<AdminAnswer> {
    const response = await fetch(`http://127.0.0.1:${listener.port}/`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const body = (await response.json()) as AdminAnswer["body"];
    const { result } = body;
    if (result !== undefined) expect([method, misfits(method, result)]).toEqual([method, []]);
    return { status: response.status, body };
  }

  return { listener, ask, done, before, context, refused, finished };
}

/** Places where a result violates its method's schema. */
function misfits(method: string, result: unknown): readonly unknown[] {
  const components = new SchemaComponents();
  const schema = components.write(TABLE.find(method)?.answer ?? { enum: [] });
  const check = new Ajv({ strict: false }).compile({
    allOf: [schema],
    components: { schemas: components.all() },
  });
  return check(result) ? [] : (check.errors ?? []);
}

function adminOf(before: { readonly revert: () => void }): {
  readonly admin: AdminAccess;
  readonly done: unknown[];
} {
  const done: unknown[] = [];
  let level: LogLevel = "info";
  const admin: AdminAccess = {
    mempool(offset, limit, selection) {
      done.push(["mempool", offset, limit, selection]);
      const listed = { sender: 2n, nonce: 3n, tip: 4n, kind: "INVOKE", receivedAtMs: 9 } as const;
      const transaction = { ...listed, hash: WAITING_HASH, maxFee: 5n, isReady: true };
      return Promise.resolve({ waiting: 1, ahead: 0, inFlight: 2, transactions: [transaction] });
    },
    dropTransaction(hash) {
      done.push(["drop", hash]);
      return Promise.resolve(hash === WAITING_HASH ? "dropped" : "unknown");
    },
    flushMempool(selection) {
      done.push(["flush", selection]);
      return Promise.resolve({ dropped: 3, inFlight: 1 });
    },
    async revertTo(blockNumber, check) {
      await Promise.resolve();
      before.revert();
      check();
      done.push(["revertTo", blockNumber]);
      return 1;
    },
    closeBlock: () => Promise.resolve({ number: 7, hash: 0x77n }),
    addL1HandlerMessage(message) {
      done.push(["message", message]);
      return Promise.resolve({ transactionHash: 0x99n, block: { number: 8, hash: 0x88n } });
    },
    status: () =>
      Promise.resolve({
        role: "sequencer",
        name: "node",
        version: "1.2.3",
        chainId: 0x41n,
        protocolVersion: "0.14.0",
        mempool: { waiting: 5, inFlight: 6 },
        connections: 2,
        uptimeSeconds: 10,
        memoryBytes: 11,
      }),
    shutdown: () => void done.push(["shutdown"]),
    setLogLevel(next) {
      const previous = level;
      level = next;
      return previous;
    },
    note: (use, fields) => void done.push([use, fields]),
  };
  return { admin, done };
}
