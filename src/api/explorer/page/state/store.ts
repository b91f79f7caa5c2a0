import { useEffect, useState } from "hono/jsx/dom";

/** Value that views observe. */
export class Store<T> {
  #value: T;
  readonly #observers = new Set<() => void>();

  constructor(initial: T) {
    this.#value = initial;
  }

  get value(): T {
    return this.#value;
  }

  /** Replaces the value and notifies the observers. */
  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const observer of this.#observers) observer();
  }

  /** Calls `observer` after each change. @returns a function that ends this */
  observe(observer: () => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }
}

/** Returns the value of a store, and renders the component again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, setCount] = useState(0);
  useEffect(() => store.observe(() => setCount((count: number) => count + 1)), [store]);
  return store.value;
}
