import type { Var } from "../../casm/builder-state.ts";

/** Arguments of the function that squashes the keys one after another. */
export interface SquashKeyArguments {
  readonly rangeCheck: Var;
  readonly accessesStart: Var;
  /** End of the accesses, minus one. */
  readonly lastAccessEnd: Var;
  readonly key: Var;
  /** Number of accesses that belong to no earlier key. */
  readonly remainingAccesses: Var;
  /** Address for the key's entry. */
  readonly squashedEnd: Var;
  /** Non-zero when keys may be 2^128 or more. */
  readonly bigKeys: Var;
}

/** Variables of the code that squashes one key of a dictionary; they stay valid until the next key. */
export interface KeyState {
  readonly args: SquashKeyArguments;
  readonly entry: Var;
  /** Local that a hint fills if there is a next key. */
  readonly nextKey: Var;
  /** Local: the number of accesses that remain after the key. */
  readonly remainingAfter: Var;
}

/**
 * Variables of the code that visits a key's accesses: the access reached, its value, and the range check
 * pointer.
 */
export interface FollowedAccess {
  readonly access: Var;
  /** Value after the access. */
  readonly value: Var;
  readonly rangeCheck: Var;
}
