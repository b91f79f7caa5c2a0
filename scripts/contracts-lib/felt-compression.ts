const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
const MIN_CODE_SIZE = 256;

/**
 * Unpacks the dictionary-compressed felts of a Sierra program (what follows its six version
 * felts).
 *
 * Layout: code size, padding, the code's distinct felts, count of words, then felts that each hold
 * as many code indices as fit below the prime, the first in the lowest bits.
 * Source: crate `cairo-lang-starknet-classes`, module `felt252_vec_compression`.
 *
 * @throws RangeError when the layout is violated
 */
export function decompressFelts(packed: readonly bigint[]): bigint[] {
  const codeSize = Number(packed[0] ?? 0n);
  const paddedSize = codeSize + Number(packed[1] ?? 0n);
  if (paddedSize < MIN_CODE_SIZE || (paddedSize & (paddedSize - 1)) !== 0) {
    throw new RangeError(`padded code size ${paddedSize} is no power of two from 256 on`);
  }
  const code = packed.slice(2, 2 + codeSize);
  const count = Number(packed[2 + codeSize] ?? 0n);
  const words = packed.slice(3 + codeSize);
  const perFelt = wordsPerFelt(paddedSize);
  if (words.length !== Math.ceil(count / perFelt)) {
    throw new RangeError(`${words.length} packed felts for ${count} words`);
  }
  const bits = BigInt(Math.log2(paddedSize));
  const mask = BigInt(paddedSize - 1);
  const result: bigint[] = [];
  for (const word of words) {
    let rest = word;
    for (let i = 0; i < perFelt && result.length < count; i++) {
      const value = code[Number(rest & mask)];
      if (value === undefined) throw new RangeError("packed felt outside of the code");
      result.push(value);
      rest >>= bits;
    }
  }
  return result;
}

/** The inverse of {@link decompressFelts}; the code lists the felts in order of appearance. */
export function compressFelts(values: readonly bigint[]): bigint[] {
  const indexOf = new Map<bigint, number>();
  for (const value of values) if (!indexOf.has(value)) indexOf.set(value, indexOf.size);
  const paddedSize = 2 ** Math.ceil(Math.log2(Math.max(MIN_CODE_SIZE, indexOf.size)));
  const perFelt = wordsPerFelt(paddedSize);
  const result = [BigInt(indexOf.size), BigInt(paddedSize - indexOf.size), ...indexOf.keys()];
  result.push(BigInt(values.length));
  const bits = BigInt(Math.log2(paddedSize));
  for (let start = 0; start < values.length; start += perFelt) {
    const chunk = values.slice(start, start + perFelt);
    result.push(
      chunk.reduceRight((packed, value) => (packed << bits) | BigInt(indexOf.get(value) ?? 0), 0n),
    );
  }
  return result;
}

function wordsPerFelt(paddedSize: number): number {
  let count = 0;
  for (let reach = BigInt(paddedSize); reach < FIELD_PRIME; reach *= BigInt(paddedSize)) count++;
  return count;
}
