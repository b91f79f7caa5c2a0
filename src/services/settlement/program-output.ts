import { bytesFromFelt, FIELD_PRIME } from "#base/primitives/index.ts";
import type { CoreState } from "#io/l1/index.ts";
import { keccak256 } from "#protocol/crypto/index.ts";
import type { CoreRules, SettledBlock, StateUpdate } from "./ports.ts";

/** Block number before the first block in an output: -1 in the field. */
const NO_BLOCK = FIELD_PRIME - 1n;

/**
 * Builds the update that moves the core contract from a state to a block, or to the last block of a range
 * with the messages of all. The output itself is the only data on L1.
 *
 * The output has roots, block numbers and block hashes, each old and new; then OS program hash (0: no
 * aggregator), config hash, KZG flag and full-output flag; then the messages to L1 and those to L2, each as a
 * length in words and the messages. Source: `Output.sol`, `Starknet.sol`, updateState.
 */
export function stateUpdate(from: CoreState, block: SettledBlock, rules: CoreRules): StateUpdate {
  const toL1 = block.messagesToL1.flatMap(({ fromAddress, toAddress, payload }) => [
    fromAddress,
    toAddress,
    BigInt(payload.length),
    ...payload,
  ]);
  const toL2 = block.messagesToL2.flatMap(
    ({ contractAddress, nonce, entryPointSelector, calldata: [sender = 0n, ...payload] }) => [
      sender,
      contractAddress,
      nonce,
      entryPointSelector,
      BigInt(payload.length),
      ...payload,
    ],
  );
  const programOutput = [
    from.stateRoot,
    block.stateRoot,
    from.blockNumber < 0n ? NO_BLOCK : from.blockNumber,
    BigInt(block.number),
    from.blockHash,
    block.hash,
    0n,
    rules.configHash,
    0n,
    0n,
    BigInt(toL1.length),
    ...toL1,
    BigInt(toL2.length),
    ...toL2,
  ];
  return { programOutput, fact: factOf(programOutput, rules) };
}

/**
 * Computes the verifier's fact of an output: Keccak-256 of the program hash and the output's fact. The latter
 * is a tree of the output and the data on L1, here none; an inner node is its hash plus 1.
 *
 * Source: `OnchainDataFactTreeEncoder.sol`.
 */
function factOf(programOutput: readonly bigint[], { programHash }: CoreRules): bigint {
  const length = BigInt(programOutput.length);
  const root = keccakOfWords([keccakOfWords(programOutput), length, 0n, length]);
  return keccakOfWords([programHash, BigInt.asUintN(256, root + 1n)]);
}

function keccakOfWords(words: readonly bigint[]): bigint {
  return BigInt(`0x${keccak256(Buffer.concat(words.map(bytesFromFelt))).toHex()}`);
}
