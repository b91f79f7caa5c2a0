import type { Var } from "../../casm/builder-state.ts";

/** Arguments of the function that squashes one key after another. */
export interface SquashKeyArguments {
  readonly rangeCheck: Var;
  readonly accessesStart: Var;
  /** One less than the end of the accesses. */
  readonly lastAccessEnd: Var;
  readonly key: Var;
  /** Number of accesses that no key before it has. */
  readonly remainingAccesses: Var;
  /** Where the entry of the key is written. */
  readonly squashedEnd: Var;
  /** Not zero when keys may be 2^128 and more. */
  readonly bigKeys: Var;
}

/** What is known all the time while a key is squashed. */
export interface KeyState {
  readonly args: SquashKeyArguments;
  readonly entry: Var;
  /** A local that a hint fills when there is a next key. */
  readonly nextKey: Var;
  /** A local: the number of accesses that remain after the key. */
  readonly remainingAfter: Var;
}

/** How far the accesses to a key have been followed. */
export interface FollowedAccess {
  readonly access: Var;
  /** The value after it. */
  readonly value: Var;
  readonly rangeCheck: Var;
}
