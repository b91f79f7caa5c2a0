import {
  type Decoder,
  JsonReader,
  readJsonStream,
  type StreamDecoder,
  stringifyJson,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { STREAM_LIMITS } from "#io/client/index.ts";
import { wrongAnswer } from "../errors.ts";
import type { OriginCall, OriginReply, OriginTask } from "../rpc/pending.ts";
import type { OriginPool } from "../rpc/pool.ts";
import { byNumber, type NamedFork } from "./fork-id.ts";
import type { OriginSpec } from "../rpc/spec.ts";

/** Decoded result of a call, with the name and specification of the URL that returned it. */
export interface OriginRead<T> {
  readonly value: T;
  /** Name of the URL that returned it. */
  readonly name: string;
  readonly spec: OriginSpec;
}

/** Calls an origin and decodes the results. */
export class OriginCaller {
  readonly #pool: Pick<OriginPool, "call" | "names" | "has" | "size">;
  /** The fork block, once it is known. */
  fork: NamedFork | undefined;

  constructor(pool: Pick<OriginPool, "call" | "names" | "has" | "size">) {
    this.#pool = pool;
  }

  /** Names of the URLs, for messages. */
  get names(): string {
    return this.#pool.names;
  }

  /** Whether there is one URL alone. */
  get isAlone(): boolean {
    return this.#pool.size === 1;
  }

  /** Whether one of the URLs has this name. */
  has(name: string): boolean {
    return this.#pool.has(name);
  }

  /**
   * Calls a method.
   *
   * @throws {RpcRefusal} when the origin responds with an error
   * @throws {OriginError} ORIGIN_BAD_ANSWER for a result of another form, and as `OriginPool.call`
   */
  async read<T>(call: OriginCall, decoder: Decoder<T>, task: OriginTask): Promise<OriginRead<T>> {
    const { value, name, spec } = await this.#reply(call, task);
    try {
      return { value: decoder.decode(value, ""), name, spec };
    } catch (cause) {
      throw formError(name, call.method, task, cause);
    }
  }

  /**
   * Calls a method whose result is forwarded.
   *
   * @param decoder - checks the form of the result
   * @returns the result as UTF-8 JSON text, and decoded
   * @throws {RpcRefusal} when the origin responds with an error
   * @throws {OriginError} as {@link read}
   */
  async readText<T>(
    call: OriginCall,
    decoder: StreamDecoder<T>,
    task: OriginTask,
  ): Promise<{ readonly bytes: Uint8Array; readonly value: T; readonly name: string }> {
    const reply = await this.#reply(call, task);
    const bytes = new TextEncoder().encode(stringifyJson(reply.value));
    try {
      const value = await readJsonStream(oneChunk(bytes), new JsonReader(STREAM_LIMITS), decoder);
      return { bytes, value, name: reply.name };
    } catch (cause) {
      throw formError(reply.name, call.method, task, cause);
    }
  }

  async #reply(call: OriginCall, task: OriginTask): Promise<OriginReply> {
    const numbered = this.fork && byNumber(this.fork);
    const reply = await this.#pool.call(numbered ? { ...call, numbered } : call, task);
    const { servers } = task;
    servers.set(reply.name, reply.isNumbered || servers.get(reply.name) === true);
    return reply;
  }
}

function formError(name: string, method: string, { what }: OriginTask, cause: unknown): unknown {
  if (!(cause instanceof DecodeError)) return cause;
  const message = `${name}: the response to ${method} for "${what}" does not match the specification: ${cause.message}`;
  return wrongAnswer(message, cause);
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
