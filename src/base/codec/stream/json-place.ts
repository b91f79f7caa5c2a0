import { elementPath, memberPath } from "../codec.ts";

/** Longest member name and longest path that {@link JsonPlace.text} shows; characters. */
const MAX_NAME = 60;
const MAX_PATH = 300;

interface Level {
  readonly kind: "array" | "object";
  /** Elements or members so far, the present one included. */
  count: number;
  /** Name of the present member. */
  name: string;
  /** A comma was read, and a value or a member must follow. */
  isAfterComma: boolean;
}

/** The arrays and objects around the present position of a JSON text. */
export class JsonPlace {
  readonly #levels: Level[] = [];

  /** Number of arrays and objects that are open. */
  get depth(): number {
    return this.#levels.length;
  }

  /** The innermost one; `undefined` outside of the outermost. */
  get level(): Level | undefined {
    return this.#levels.at(-1);
  }

  /** Enters an array or object. */
  open(kind: Level["kind"]): void {
    this.#levels.push({ kind, count: 0, name: "", isAfterComma: false });
  }

  /** Leaves the innermost one. */
  close(): void {
    this.#levels.pop();
  }

  /** Path of the present value: `traces[3].trace_root`; shortened in the middle where it is long. */
  get text(): string {
    let path = "";
    for (const { kind, count, name } of this.#levels) {
      if (count === 0) continue;
      path = kind === "array" ? elementPath(path, count - 1) : memberPath(path, shown(name));
    }
    if (path.length <= MAX_PATH) return path;
    return `${path.slice(0, MAX_PATH / 2)}...${path.slice(-MAX_PATH / 2)}`;
  }
}

/** A stranger's text in an error acts on no terminal. */
function shown(name: string): string {
  return name.slice(0, MAX_NAME).replace(/[^\w-]/g, "?");
}
