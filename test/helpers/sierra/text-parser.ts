import { userTypeId } from "#engine/sierra/program/user-type.ts";
import type {
  Branch,
  FunctionDeclaration,
  GenericArgument,
  LibfuncDeclaration,
  Program,
  Statement,
  TypeDeclaration,
} from "#engine/sierra/program/program.ts";

/**
 * Parses a Sierra program in the format of the Sierra compiler: declarations of types and libfuncs,
 * statements with labels, functions. Only well-formed texts are supported. @throws {TypeError} for
 * others
 */
export function parseSierra(text: string): Program {
  const source = clean(text);
  const types = new Names();
  const libfuncs = new Names();
  const declaredTypes = lines(source, "type").map((line) => splitDeclaration(line, types));
  const declaredLibfuncs = lines(source, "libfunc").map((line) => splitDeclaration(line, libfuncs));
  const rest = source.filter((line) => !/^(type|libfunc) /.test(line));
  const functionLines = rest.filter((line) => FUNCTION.test(line));
  const functions = new Names();
  for (const line of functionLines) functions.add(match(FUNCTION, line, "name"));
  const args = new ArgumentReader(types, functions, libfuncs);
  const labels = new Map<string, number>();
  const statementLines: string[] = [];
  for (const line of rest) {
    if (FUNCTION.test(line)) continue;
    const label = /^([\w:<>[\]]+):$/.exec(line)?.[1];
    if (label === undefined) statementLines.push(line);
    else labels.set(label, statementLines.length);
  }
  return {
    types: declaredTypes.map((each) => typeOf(each, args)),
    libfuncs: declaredLibfuncs.map((each) => libfuncOf(each, args)),
    statements: statementLines.map((line) => statementOf(line, libfuncs, labels)),
    functions: functionLines.map((line) => functionOf(line, types, labels)),
  };
}

const FUNCTION = /^(?<name>.*?)@(?<entry>\w+)\((?<params>.*)\) -> \((?<returns>.*)\);$/s;

interface Declaration {
  readonly genericId: string;
  readonly args: string | undefined;
  readonly info: string | undefined;
}

/** Positions of declarations by name. */
class Names {
  readonly #indices = new Map<string, number>();

  add(name: string): void {
    this.#indices.set(name, this.#indices.size);
  }

  at(name: string): number {
    const index = this.#indices.get(name);
    if (index === undefined) throw new TypeError(`Sierra text: nothing is named ${name}`);
    return index;
  }
}

/** Lines without comments; declarations over several lines are joined. */
function clean(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\/\/.*$/, "").trim())
    .filter((line) => line !== "");
}

function lines(source: readonly string[], keyword: string): string[] {
  return source.filter((line) => line.startsWith(`${keyword} `));
}

function splitDeclaration(line: string, names: Names): Declaration {
  const parts = /^\w+ (.*?) = (.*?)(?: \[(storable: [^\]]*)\])?;$/.exec(line);
  if (parts === null) throw new TypeError(`Sierra text: no declaration: ${line}`);
  const [, name = "", definition = "", info] = parts;
  names.add(name);
  const open = definition.indexOf("<");
  return open < 0
    ? { genericId: definition, args: undefined, info }
    : { genericId: definition.slice(0, open), args: definition.slice(open + 1, -1), info };
}

class ArgumentReader {
  readonly #types: Names;
  readonly #functions: Names;
  readonly #libfuncs: Names;

  constructor(types: Names, functions: Names, libfuncs: Names) {
    this.#types = types;
    this.#functions = functions;
    this.#libfuncs = libfuncs;
  }

  read(text: string | undefined): GenericArgument[] {
    return text === undefined ? [] : splitTop(text).map((each) => this.#one(each));
  }

  #one(text: string): GenericArgument {
    if (/^-?\d+$/.test(text)) return { kind: "value", value: BigInt(text) };
    if (text.startsWith("ut@")) return { kind: "user_type", id: userTypeId(text.slice(3)) };
    if (text.startsWith("user@")) {
      return { kind: "function", function: this.#functions.at(text.slice(5)) };
    }
    if (text.startsWith("lib@")) {
      return { kind: "libfunc", libfunc: this.#libfuncs.at(text.slice(4)) };
    }
    return { kind: "type", type: this.#types.at(text) };
  }
}

function typeOf({ genericId, args, info }: Declaration, reader: ArgumentReader): TypeDeclaration {
  const flag = (name: string): boolean => info?.includes(`${name}: true`) ?? false;
  const declared =
    info === undefined
      ? undefined
      : {
          storable: flag("storable"),
          droppable: flag("drop"),
          duplicatable: flag("dup"),
          zeroSized: flag("zero_sized"),
        };
  return { genericId, args: reader.read(args), declared };
}

function libfuncOf({ genericId, args }: Declaration, reader: ArgumentReader): LibfuncDeclaration {
  return { genericId, args: reader.read(args) };
}

const RETURN = /^return\((?<args>.*)\);$/;
const STRAIGHT = /^(?<libfunc>.*)\((?<args>[^()]*)\) -> \((?<results>[^()]*)\);$/;
const FORKED = /^(?<libfunc>.*)\((?<args>[^()]*)\) \{ (?<branches>.*)\};$/;

function statementOf(
  line: string,
  libfuncs: Names,
  labels: ReadonlyMap<string, number>,
): Statement {
  const returned = RETURN.exec(line)?.groups;
  if (returned !== undefined) return { kind: "return", args: variables(returned["args"]) };
  const straight = STRAIGHT.exec(line)?.groups;
  const parts = straight ?? FORKED.exec(line)?.groups;
  if (parts === undefined) throw new TypeError(`Sierra text: no statement: ${line}`);
  return {
    kind: "invocation",
    libfunc: libfuncs.at(parts["libfunc"] ?? ""),
    args: variables(parts["args"]),
    branches:
      straight === undefined
        ? branches(parts["branches"] ?? "", labels)
        : [{ target: undefined, results: variables(parts["results"]) }],
  };
}

function branches(text: string, labels: ReadonlyMap<string, number>): Branch[] {
  return [...text.matchAll(/(\S+?)\(([^()]*)\)/g)].map(([, label = "", results]) => ({
    target: label === "fallthrough" ? undefined : target(label, labels),
    results: variables(results),
  }));
}

function target(label: string, labels: ReadonlyMap<string, number>): number {
  const statement = labels.get(label) ?? (/^\d+$/.test(label) ? Number(label) : undefined);
  if (statement === undefined) throw new TypeError(`Sierra text: no label ${label}`);
  return statement;
}

function functionOf(
  line: string,
  types: Names,
  labels: ReadonlyMap<string, number>,
): FunctionDeclaration {
  const params = splitTop(match(FUNCTION, line, "params")).map((text) => {
    const [, variable = "", type = ""] = /^\[(\d+)\]: (.*)$/.exec(text) ?? [];
    return { variable: Number(variable), type: types.at(type) };
  });
  return {
    name: match(FUNCTION, line, "name"),
    params,
    returns: splitTop(match(FUNCTION, line, "returns")).map((type) => types.at(type)),
    entry: target(match(FUNCTION, line, "entry"), labels),
  };
}

function match(pattern: RegExp, line: string, group: string): string {
  const found = pattern.exec(line)?.groups?.[group];
  if (found === undefined) throw new TypeError(`Sierra text: no ${group} in ${line}`);
  return found;
}

function variables(text = ""): number[] {
  return [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
}

/** Splits at commas outside of brackets. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if ("<([{".includes(char)) depth++;
    else if (">)]}".includes(char) && text[i - 1] !== "-") depth--;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === "" && parts.length === 0 ? [] : [...parts, last];
}
