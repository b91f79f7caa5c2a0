import type { Relocatable } from "#engine/cairo/index.ts";
import { keccakPermutation, sha256Compress } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { INVALID_INPUT_LENGTH, OUT_OF_GAS } from "../call/felts.ts";
import { fatal } from "../syscall-base/failure.ts";
import type { SyscallCursor } from "./cursor.ts";
import type { PreparedSyscall, SyscallHandler } from "./handler.ts";
import { ok, revert } from "./reply.ts";
import { sha512Compress } from "./sha512.ts";

/** Words that Keccak-256 absorbs per permutation. */
const KECCAK_RATE_WORDS = 17;
const BLOCK_WORDS = 16;
const STATE_WORDS = 8;

/** `keccak(words) -> u256`: the caller has padded the words; each round costs additional gas. */
const keccak: SyscallHandler = {
  name: "Keccak",
  prepare({ context, record }, cursor) {
    const start = cursor.pointer();
    const end = cursor.pointer();
    return {
      linear: 0,
      run(gas) {
        const length = end.offset - start.offset;
        if (start.segment !== end.segment || length < 0) {
          return fatal("The end of the keccak input is not behind its start.");
        }
        const words = cursor.memory.readFelts(start, length);
        if (words === undefined) return fatal("Expected integers in the keccak input.");
        const wrong = words.find((word) => word >= 1n << 64n);
        if (wrong !== undefined) {
          return fatal(
            `Invalid syscall input: 0x${wrong.toString(16)}; ` +
              "Invalid input for the keccak syscall.",
          );
        }
        if (length % KECCAK_RATE_WORDS !== 0) return revert(gas, INVALID_INPUT_LENGTH);
        const rounds = length / KECCAK_RATE_WORDS;
        const cost = rounds * context.numbers.keccakRound;
        if (cost > gas) return revert(gas, OUT_OF_GAS);
        record.count("Keccak", rounds, 0);
        return ok(gas - cost, keccakOf(words));
      },
    };
  },
};

/** Low and high halves of the digest. */
function keccakOf(words: readonly Felt[]): readonly [Felt, Felt] {
  const lanes = new BigUint64Array(25);
  for (let at = 0; at < words.length; at += KECCAK_RATE_WORDS) {
    for (let i = 0; i < KECCAK_RATE_WORDS; i++) {
      lanes[i] = (lanes[i] as bigint) ^ (words[at + i] as bigint);
    }
    keccakPermutation(lanes);
  }
  const [a = 0n, b = 0n, c = 0n, d = 0n] = lanes;
  return [(b << 64n) | a, (d << 64n) | c];
}

/** Reads pointers to a state of 8 words and a block of 16. */
function prepareBlock(
  cursor: SyscallCursor,
  run: (
    gas: number,
    state: readonly Felt[],
    block: readonly Felt[],
  ) => ReturnType<PreparedSyscall["run"]>,
): PreparedSyscall {
  const statePointer = cursor.pointer();
  const blockPointer = cursor.pointer();
  return {
    linear: 0,
    run(gas) {
      const block = cursor.memory.readFelts(blockPointer, BLOCK_WORDS);
      const state = cursor.memory.readFelts(statePointer, STATE_WORDS);
      if (block === undefined || state === undefined) {
        return fatal("Expected integers in the input of a hash block.");
      }
      return run(gas, state, block);
    },
  };
}

/** `sha256_process_block(state, block) -> state`: the states of a call are written to consecutive cells. */
const sha256ProcessBlock: SyscallHandler = {
  name: "Sha256ProcessBlock",
  prepare(frame, cursor) {
    return prepareBlock(cursor, (gas, state, block) => {
      const words = Uint32Array.from(state, Number);
      sha256Compress(words, Uint32Array.from(block, Number));
      const start = frame.sha256End ?? cursor.memory.addSegment();
      frame.sha256End = append(cursor, start, Array.from(words, BigInt));
      return ok(gas, [start]);
    });
  },
};

/** `sha512_process_block(state, block) -> state`. */
const sha512ProcessBlock: SyscallHandler = {
  name: "Sha512ProcessBlock",
  prepare(frame, cursor) {
    return prepareBlock(cursor, (gas, state, block) => {
      const start = frame.sha512End ?? cursor.memory.addSegment();
      frame.sha512End = append(cursor, start, sha512Compress(state, block));
      return ok(gas, [start]);
    });
  },
};

function append(cursor: SyscallCursor, start: Relocatable, values: readonly Felt[]): Relocatable {
  cursor.memory.writeFelts(start, values);
  return { segment: start.segment, offset: start.offset + values.length };
}

/** Hash syscalls. */
export const HASH_SYSCALLS: readonly SyscallHandler[] = [
  keccak,
  sha256ProcessBlock,
  sha512ProcessBlock,
];
