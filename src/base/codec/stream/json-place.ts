import { elementPath, memberPath } from "../codec.ts";

/** Maximum characters of a member name and of a path that {@link JsonPlace.text} shows. */
const MAX_NAME = 60;
const MAX_PATH = 300;

interface Level {
  readonly kind: "array" | "object";
  /** Number of elements or members so far, including the current one. */
  count: number;
  name: string;
  /** Whether a comma was read, so that a value or member must follow. */
  isAfterComma: boolean;
}

/** Stack of the arrays and objects around the current position in a JSON text. */
export class JsonPlace {
  readonly #levels: Level[] = [];

  get depth(): number {
    return this.#levels.length;
  }

  /** Innermost array or object; `undefined` outside of the outermost. */
  get level(): Level | undefined {
    return this.#levels.at(-1);
  }

  open(kind: Level["kind"]): void {
    this.#levels.push({ kind, count: 0, name: "", isAfterComma: false });
  }

  close(): void {
    this.#levels.pop();
  }

  /** Path of the current value: `traces[3].trace_root`; long paths are shortened in the middle. */
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

/** Replaces characters by which untrusted text in an error could control a terminal. */
function shown(name: string): string {
  return name.slice(0, MAX_NAME).replace(/[^\w-]/g, "?");
}
