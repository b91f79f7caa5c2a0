import { concat, type Hex, numberToHex, size, toFunctionSelector, toHex } from "viem";
import type { L1Address } from "../types.ts";

/**
 * Maximum number of messages per call: the output of a creation is limited to 24 576 bytes (EIP-170), and
 * each message takes 64.
 */
export const MESSAGES_PER_CALL = 256;

/**
 * Builds EVM code for an `eth_call` without a recipient, which runs as a contract creation and needs no
 * deployment. It queries the core contract for each message and returns two words each: the results of
 * `l1ToL2Messages` and `l1ToL2MessageCancellations`. It reverts if a call fails or does not return a word.
 *
 * @param hashes - message hashes; at most {@link MESSAGES_PER_CALL}
 */
export function messageStatesCode(coreContractAddress: L1Address, hashes: readonly bigint[]): Hex {
  const core = toHex(coreContractAddress, { size: 20 });
  const finish = concat([JUMPDEST, push2(hashes.length * 64), RETURN_RESULTS]);
  const head = (end: number): Hex =>
    concat([JUMPDEST, DUP1, push2(hashes.length), EQ, push2(end), JUMPI]);
  const body = (hashesAt: number, next: number): Hex =>
    concat([
      hashInto(0x04, hashesAt),
      hashInto(0x44, hashesAt),
      concat([DUP1, resultPlace(0x80), call(0x00, core)]),
      concat([DUP2, resultPlace(0xa0), call(0x40, core)]),
      BOTH_AND_A_WORD,
      concat([push2(next), JUMPI, REVERT]),
    ]);
  const tail = concat([JUMPDEST, ADD_ONE, push2(size(SELECTORS)), JUMP]);
  const nextAt = size(SELECTORS) + size(head(0)) + size(body(0, 0));
  const endAt = nextAt + size(tail);
  const hashesAt = endAt + size(finish);
  const words = hashes.map((hash) => toHex(hash, { size: 32 }));
  return concat([SELECTORS, head(endAt), body(hashesAt, nextAt), tail, finish, ...words]);
}

const JUMPDEST = "0x5b";
const DUP1 = "0x80";
const DUP2 = "0x81";
const EQ = "0x14";
const JUMP = "0x56";
const JUMPI = "0x57";
const ADD_ONE = "0x600101";
/** REVERT(0, 0). */
const REVERT = "0x60006000fd";
/** RETURN(0x80, size), with the size on the stack. */
const RETURN_RESULTS = "0x6080f3";
/** AND of both calls' success flags and of RETURNDATASIZE being 32. */
const BOTH_AND_A_WORD = "0x163d60201416";

/**
 * Initialization. The inputs of the two calls start at 0x00 and 0x40 of memory: SHL 224 and MSTORE put each
 * selector at the front of its word. Then pushes `i` = 0 as the only stack item.
 */
const SELECTORS = concat([
  concat(["0x63", toFunctionSelector("l1ToL2Messages(bytes32)"), "0x60e01b600052"]),
  concat(["0x63", toFunctionSelector("l1ToL2MessageCancellations(bytes32)"), "0x60e01b604052"]),
  "0x6000",
]);

function push1(value: number): Hex {
  return concat(["0x60", numberToHex(value, { size: 1 })]);
}

function push2(value: number): Hex {
  return concat(["0x61", numberToHex(value, { size: 2 })]);
}

/** CODECOPY(place, hashesAt + 32 * i, 32), with `i` on top of the stack before and after. */
function hashInto(place: number, hashesAt: number): Hex {
  return concat(["0x60208160051b", push2(hashesAt), "0x01", push1(place), "0x39"]);
}

/** Converts a copy of `i` to size and place of a result: (32, base + 64 * i). */
function resultPlace(base: number): Hex {
  return concat(["0x60061b", push1(base), "0x01", "0x602090"]);
}

/** STATICCALL(gas, core, input, 36, place, 32), with the last two on the stack. */
function call(input: number, core: Hex): Hex {
  return concat(["0x6024", push1(input), "0x73", core, "0x5afa"]);
}
