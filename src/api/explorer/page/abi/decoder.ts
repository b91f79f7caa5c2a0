import type { Abi } from "./model.ts";
import { type ByteArray, byteArrayAt } from "./byte-array.ts";
import type { Decoded } from "./decoded.ts";
import { hexOf } from "./felt.ts";
import {
  ARRAYS,
  BYTE_ARRAY,
  type Scalar,
  scalarOf,
  WIDE,
  type Wide,
  WRAPPERS,
} from "./primitives.ts";
import { type Field, LENGTHS, MAX_NAME } from "./read-entry.ts";
import { scalarText } from "./scalar-text.ts";
import { type TypeMember, type TypeName, typeNameOf } from "./type-name.ts";
import { membersOf, variantsOf } from "./declared.ts";

/** Deepest nesting of values; recursive types have no other end. */
const MAX_DEPTH = 64;
/** Maximum elements of a list whose elements have no felts. */
const MAX_EMPTY = 1_000;

/** Reads values from a list of felts, one after another, until something does not fit. */
export class Decoder {
  position = 0;
  /** Reason why decoding stopped; `null` while it can continue. */
  failure: string | null = null;
  /** First value that is outside the range of its type. */
  firstProblem: string | null = null;
  readonly #abi: Abi;
  readonly #felts: readonly bigint[];
  #left: number;
  readonly #maxValues: number;
  /** Scalars by parameter, for the lengths of Cairo 0 arrays. */
  readonly #scalars = new Map<string, bigint>();
  #last: bigint | undefined;

  constructor(abi: Abi, felts: readonly string[], maxValues: number) {
    this.#abi = abi;
    this.#felts = felts.map((felt) => (/^0x[0-9a-f]+$/i.test(felt) ? BigInt(felt) : 0n));
    this.#maxValues = maxValues;
    this.#left = maxValues;
  }

  /** Reads a parameter. After a failure, the value that failed is incomplete. */
  field({ name, type }: Field): Decoded {
    const value = this.#value(name, typeNameOf(type), 0);
    if (this.#last !== undefined) this.#scalars.set(name, this.#last);
    return value;
  }

  #value(name: string, type: TypeName, depth: number): Decoded {
    const start = this.position;
    this.#last = undefined;
    if (--this.#left < 0) this.#fail(`cut after ${this.#maxValues} values`);
    else if (depth > MAX_DEPTH) this.#fail(`cut at ${MAX_DEPTH} nested values`);
    else {
      switch (type.kind) {
        case "named":
          return this.#named(name, type, depth);
        case "tuple":
          return this.#record(name, type.text, type.members, depth);
        case "fixed":
          return this.#list(name, type.text, type.of, BigInt(type.length), depth);
        case "pointer":
          return this.#pointer(name, type, depth);
        case "unknown":
          this.#fail(`“${type.text.slice(0, 60)}” is no type`);
      }
    }
    return this.#close(name, type.text, "raw", start, "", []);
  }

  #named(name: string, type: TypeName & { readonly kind: "named" }, depth: number): Decoded {
    const { base, text, args } = type;
    const start = this.position;
    const scalar = scalarOf(base);
    if (scalar !== undefined) return this.#scalar(name, text, scalar);
    const wide = WIDE.get(base);
    if (wide !== undefined) return this.#wide(name, text, wide);
    if (base === BYTE_ARRAY) return this.#byteArray(name, text);
    const [first] = args;
    if (first !== undefined && ARRAYS.has(base)) {
      return this.#list(name, text, first, this.#felt() ?? 0n, depth, start);
    }
    if (first !== undefined && WRAPPERS.has(base)) {
      return { ...this.#value(name, first, depth + 1), type: text };
    }
    const variants = variantsOf(this.#abi, type);
    if (variants !== undefined) return this.#variant(name, text, variants, depth);
    const members = membersOf(this.#abi, type);
    if (members !== undefined) return this.#record(name, text, members, depth);
    this.#fail(`the ABI does not declare ${text.slice(0, 80)}`);
    return this.#close(name, text, "raw", start, "", []);
  }

  #record(name: string, type: string, members: readonly TypeMember[], depth: number): Decoded {
    const start = this.position;
    const children: Decoded[] = [];
    for (const member of members) {
      if (this.failure !== null) break;
      children.push(this.#value(member.name, member.type, depth + 1));
    }
    return this.#close(name, type, "record", start, countText(members.length, "member"), children);
  }

  #variant(name: string, type: string, variants: readonly TypeMember[], depth: number): Decoded {
    const start = this.position;
    const index = this.#felt() ?? 0n;
    const variant = index < BigInt(variants.length) ? variants[Number(index)] : undefined;
    if (variant === undefined) this.#fail(`${type.slice(0, 80)} has no variant ${index}`);
    if (variant === undefined || this.failure !== null) {
      return this.#close(name, type, "raw", start, hexOf(index), []);
    }
    const children = isUnit(variant.type) ? [] : [this.#value("", variant.type, depth + 1)];
    return this.#close(name, type, "variant", start, variant.name.slice(0, MAX_NAME), children);
  }

  #pointer(name: string, type: TypeName & { readonly kind: "pointer" }, depth: number): Decoded {
    const [length] = LENGTHS.flatMap((end) => this.#scalars.get(name + end) ?? []);
    if (length === undefined) this.#fail(`no ${name}_len is before the array`);
    return this.#list(name, type.text, type.of, length ?? 0n, depth);
  }

  #list(
    name: string,
    type: string,
    of: TypeName,
    length: bigint,
    depth: number,
    start: number = this.position,
  ): Decoded {
    const left = this.#felts.length - this.position;
    // Only elements without felts can be more than the felts.
    const most = isUnit(of) ? MAX_EMPTY : left;
    if (length > BigInt(most)) {
      this.#fail(`a list of ${length} elements, with ${countText(left, "felt")} left`);
    }
    const children: Decoded[] = [];
    while (this.failure === null && children.length < Number(length)) {
      children.push(this.#value("", of, depth + 1));
    }
    return this.#close(name, type, "list", start, countText(length, "element"), children);
  }

  #wide(name: string, type: string, { limbs, bitsPerLimb }: Wide): Decoded {
    const start = this.position;
    let value = 0n;
    let problem: string | null = null;
    for (let i = 0; i < limbs && this.failure === null; i++) {
      const limb = this.#felt() ?? 0n;
      if (limb >> BigInt(bitsPerLimb) !== 0n)
        problem = `a limb of ${type.slice(0, 80)} exceeds ${bitsPerLimb} bits`;
      value += limb << BigInt(bitsPerLimb * i);
    }
    return this.#close(name, type, "scalar", start, value.toString(), [], problem);
  }

  #byteArray(name: string, type: string): Decoded {
    const start = this.position;
    const read: ByteArray | undefined = byteArrayAt(this.#felts, start);
    if (read === undefined) this.#fail("a ByteArray is cut off or malformed");
    else this.position += read.length;
    return this.#close(name, type, read ? "text" : "raw", start, read?.text ?? "", []);
  }

  #scalar(name: string, type: string, scalar: Scalar): Decoded {
    const start = this.position;
    const value = this.#felt();
    this.#last = value;
    const text = value === undefined ? "" : scalarText(scalar, value);
    const problem = text === undefined ? `${hexOf(value ?? 0n)} is no ${type.slice(0, 80)}` : null;
    const kind = scalar.kind === "address" || scalar.kind === "class" ? scalar.kind : "scalar";
    return this.#close(name, type, kind, start, text ?? hexOf(value ?? 0n), [], problem);
  }

  #close(
    name: string,
    type: string,
    kind: Decoded["kind"],
    start: number,
    text: string,
    children: readonly Decoded[],
    problem: string | null = null,
  ): Decoded {
    this.firstProblem ??= problem;
    return {
      name,
      type,
      kind,
      text,
      children,
      start,
      end: this.position,
      problem: this.failure ?? problem,
    };
  }

  #felt(): bigint | undefined {
    const felt = this.#felts[this.position];
    if (felt === undefined) this.#fail("the felts end before the last value");
    else this.position++;
    return felt;
  }

  #fail(reason: string): void {
    this.failure ??= reason;
  }
}

function isUnit(type: TypeName): boolean {
  return type.kind === "tuple" && type.members.length === 0;
}

function countText(count: number | bigint, what: string): string {
  return `${count} ${what}${BigInt(count) === 1n ? "" : "s"}`;
}
