import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DOCS = join(import.meta.dir, "../../../docs");

/** Heading of a walk, and its numbered steps. */
interface Walk {
  readonly heading: string;
  readonly steps: readonly string[];
}

/** Sections of a page that have numbered steps. */
function walksOf(page: string): readonly Walk[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return { heading, steps: lines.filter((line) => /^\d+\. /.test(line)) };
    });
}

/** A name in code that links to a file. */
interface NamedPlace {
  /** `function`, or `Class.member` with `#` before a private member. */
  readonly name: string;
  /** Path relative to the page. */
  readonly file: string;
}

/** Names that link to a source file. */
function placesIn(text: string): readonly NamedPlace[] {
  return [...text.matchAll(/\[`([^`]+)`\]\((\.\.\/src\/[^)]+)\)/g)].map(
    ([, name = "", file = ""]) => ({ name, file }),
  );
}

/** Whether a source text defines a function, a constant or a class of this name, or a member of that class. */
function defines(source: string, name: string): boolean {
  const [holder = "", member] = name.split(".");
  const begin = new RegExp(`^(?:export )?(?:async )?(?:function|const|class) ${holder}\\b`, "m");
  const at = begin.exec(source)?.index;
  if (at === undefined) return false;
  if (member === undefined) return true;
  const body = source.slice(at).split(/^\}/m)[0] ?? "";
  return new RegExp(`^  (?:readonly |async |get )*${member}[(<:]`, "m").test(body);
}

const page = readFileSync(join(DOCS, "walks.md"), "utf8");

describe("the walks", () => {
  const walks = walksOf(page);

  test("have at most ten steps each, numbered from 1", () => {
    expect(walks).toHaveLength(5);
    for (const { heading, steps } of walks) {
      const numbers = steps.map((step) => Number.parseInt(step, 10));
      expect([heading, numbers]).toEqual([heading, steps.map((_, i) => i + 1)]);
      expect([heading, steps.length <= 10]).toEqual([heading, true]);
    }
  });

  test("name a function in each step", () => {
    const steps = walks.flatMap((walk) => walk.steps);
    expect(steps.filter((step) => placesIn(step).length === 0)).toEqual([]);
  });

  test("name functions that their files define", () => {
    const places = placesIn(page);
    expect(places.length).toBeGreaterThan(40);
    const missing = places.filter(({ name, file }) => {
      const path = join(DOCS, file);
      return !existsSync(path) || !defines(readFileSync(path, "utf8"), name);
    });
    expect(missing).toEqual([]);
  });
});

describe("defines", () => {
  const source = [
    "export class Pool {",
    "  readonly port: Port;",
    "  async #give(job: Job): void {",
    "    this.lost();",
    "  }",
    "}",
    "class Other {",
    "  run(): void {}",
    "}",
    "export async function open(): void {}",
    "const table = method({});",
  ].join("\n");

  test.each(["Pool", "Pool.port", "Pool.#give", "Other.run", "open", "table"])(
    "finds %p",
    (name) => {
      expect(defines(source, name)).toBe(true);
    },
  );

  test.each(["Pool.run", "Pool.lost", "Other.#give", "lost", "ope", "Port"])(
    "does not find %p",
    (name) => {
      expect(defines(source, name)).toBe(false);
    },
  );
});
