import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { Compilable, Kysely } from "kysely";

/** Value that can be bound to a statement. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** Query that is compiled at its first use and runs synchronously. `P` are its parameters, `O` its rows. */
export interface Statement<P extends readonly SqlValue[], O> {
  get(...parameters: P): O | undefined;
  all(...parameters: P): O[];
  /** Runs a statement that returns no rows. */
  run(...parameters: P): void;
}

/** Placeholders for the parameters while a query is built; they fit every column. */
export type Slots<P extends readonly SqlValue[]> = { readonly [K in keyof P]: never };

/**
 * Builds typed queries with Kysely and prepares them on the same connection. This avoids Kysely's cost and
 * asynchrony per run: execution reads the state within a synchronous call.
 *
 * A statement is compiled when it first runs, because a thread uses few of those that its tables have.
 * {@link prepareNext} compiles the others in advance.
 */
export class StatementFactory<DB> {
  readonly #connection: Database;
  readonly #kysely: () => Kysely<DB>;
  /** Compile the statements that have not been compiled in advance, in the order of their definition. */
  readonly #unprepared: (() => void)[] = [];

  /** @param kysely - called when the first statement is compiled */
  constructor(connection: Database, kysely: () => Kysely<DB>) {
    this.#connection = connection;
    this.#kysely = kysely;
  }

  /** Builds a statement. The type argument names its parameters: `of<[key: Uint8Array]>()(...)`. */
  of<P extends readonly SqlValue[]>(): <O>(
    build: (db: Kysely<DB>, slots: Slots<P>) => Compilable<O>,
  ) => Statement<P, O> {
    return <O>(build: (db: Kysely<DB>, slots: Slots<P>) => Compilable<O>) => {
      const prepare = (): Statement<P, O> => {
        const { sql, parameters } = build(this.#kysely(), SLOTS as unknown as Slots<P>).compile();
        // Not `query`: its cache is keyed by the text and limited in size.
        const statement = this.#connection.prepare<O, SQLQueryBindings[]>(sql);
        const bind = binder(parameters);
        return {
          get: (...values) => statement.get(...bind(values)) ?? undefined,
          all: (...values) => statement.all(...bind(values)),
          run: (...values) => void statement.run(...bind(values)),
        };
      };
      let prepared: Statement<P, O> | undefined;
      this.#unprepared.push(() => void (prepared ??= prepare()));
      return {
        get: (...values) => (prepared ??= prepare()).get(...values),
        all: (...values) => (prepared ??= prepare()).all(...values),
        run: (...values) => (prepared ??= prepare()).run(...values),
      };
    };
  }

  /** Compiles one more statement in advance. @returns whether any are left */
  prepareNext(): boolean {
    this.#unprepared.shift()?.();
    return this.#unprepared.length > 0;
  }
}

class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

const SLOTS: readonly Slot[] = Array.from({ length: 12 }, (_, index) => new Slot(index));

/** Arranges the caller's values in the order of the compiled query, between its constants. */
function binder(
  parameters: readonly unknown[],
): (values: readonly SqlValue[]) => SQLQueryBindings[] {
  const inOrder = parameters.every((p, i) => p instanceof Slot && p.index === i);
  if (inOrder) return (values) => values as SQLQueryBindings[];
  return (values) =>
    parameters.map((p) => (p instanceof Slot ? values[p.index] : p)) as SQLQueryBindings[];
}
