import { afterAll } from "bun:test";
import {
  createMethodTables,
  createRpcServer,
  type RpcServer,
  type RpcServerOptions,
} from "#api/rpc/index.ts";
import { RawConnection, type RawResponse } from "./raw-http.ts";
import { sampleContext } from "./sample-chain.ts";

/** What a raw client sends: parts of a request, and pauses in milliseconds between them. */
export type RawParts = readonly (string | Uint8Array | number)[];

/** Starts a server of the sample chain on a free port. */
export function serveSample(options: Partial<RpcServerOptions> = {}): Promise<RpcServer> {
  return createRpcServer({
    port: 0,
    context: sampleContext(),
    tables: createMethodTables(),
    ...options,
  });
}

/** A way to start servers whose URLs are known; all stop after the tests of the file. */
export function sampleServers(): (options?: Partial<RpcServerOptions>) => Promise<string> {
  const servers: RpcServer[] = [];
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  return async (options = {}) => {
    const server = await serveSample(options);
    servers.push(server);
    return `http://127.0.0.1:${server.port}`;
  };
}

/** The request that {@link postTo} sends unless it is given another. */
export const SPEC_VERSION_BODY = '{"jsonrpc":"2.0","id":1,"method":"starknet_specVersion"}';

/** Body and headers of a request. */
export interface PostOptions {
  readonly body?: string | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts JSON to a path of a server, which may be starting. */
export async function postTo(
  base: string | Promise<string>,
  path: string,
  { body = SPEC_VERSION_BODY, headers = {} }: PostOptions = {},
): Promise<Response> {
  return fetch((await base) + path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** How many answers to wait for, and whether they are to HEAD and have no body. */
export interface ExchangeOptions {
  readonly count?: number;
  readonly isHead?: boolean;
}

/** Sends the parts on a connection of its own and gives the first answers, and the connection. */
export async function exchange(
  port: number,
  parts: RawParts,
  { count = 1, isHead = false }: ExchangeOptions = {},
): Promise<{ readonly answers: readonly RawResponse[]; readonly connection: RawConnection }> {
  const connection = await RawConnection.open(port, isHead);
  for (const part of parts) {
    if (typeof part === "number") await Bun.sleep(part);
    else connection.send(part);
  }
  return { answers: await connection.responses(count), connection };
}
