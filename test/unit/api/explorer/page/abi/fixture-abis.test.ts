import { expect } from "bun:test";
import fc from "fast-check";
import { CallData, createAbiParser, events, type Abi as JsAbi } from "starknet";
import { type Abi, type AbiEvent, type AbiFunction, readAbi } from "#api/explorer/page/abi/abi.ts";
import { decodeFelts, type Decoded } from "#api/explorer/page/abi/decode.ts";
import { encodeValues, type FormValue } from "#api/explorer/page/abi/encode.ts";
import type { Field } from "#api/explorer/page/abi/read-entry.ts";
import { namedEvent } from "#api/explorer/page/decode/named-event.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { fixtureTest } from "#test/helpers/shared.ts";
import { CLASS_SETS, fixtureAbis } from "./fixture-abis.ts";
import {
  argumentsOf,
  formOf,
  isLength,
  type PairedValue,
  plainDecoded,
  plainOf,
} from "./form-values.ts";

const classesTest = fixtureTest(...CLASS_SETS);
const TIMEOUT_MS = 240_000;
const SIZE = { numRuns: 5, minRuns: 1 };

/** ABI of a fixture, read by both codecs; `js` is absent where starknet.js does not accept the ABI. */
interface ReadAbi {
  readonly path: string;
  readonly abi: Abi;
  readonly entries: JsAbi;
  readonly js: CallData | undefined;
}

/**
 * Classes whose ABI starknet.js does not accept: those without functions have no version that it recognises; the others
 * have the members of the first Cairo 1 compilers, or entries without results.
 */
const REFUSED_BY_ORACLE = /experimental_contract|sierra-0\.11\.json/;

/** Types that starknet.js does not know. */
const UNKNOWN_TO_ORACLE = /StorageAddress|StorageBaseAddress/;

let known: readonly ReadAbi[] | undefined;

function abis(): readonly ReadAbi[] {
  known ??= fixtureAbis().map(({ path, entries }) => {
    const abi = readAbi(entries);
    const list = entries as unknown as JsAbi;
    const isRefused =
      REFUSED_BY_ORACLE.test(path) ||
      !abi.functions.some(
        (one) => one.kind === "function" && one.inputs.length + one.outputs.length > 0,
      );
    return { path, abi, entries: list, js: isRefused ? undefined : new CallData(list) };
  });
  return known;
}

/** Visits the functions of all ABIs; those with the same parameters once. */
function eachFunction(
  fieldsOf: (one: AbiFunction) => readonly Field[],
  visit: (read: ReadAbi, one: AbiFunction) => void,
): number {
  const visited = new Set<string>();
  for (const read of abis()) {
    for (const one of read.abi.functions) {
      const types = fieldsOf(one)
        .map(({ name, type }) => `${name}: ${type}`)
        .join();
      const isCore = !/(?<!core)::[a-z_0-9]+::[A-Z]/.test(types);
      const key = isCore ? `${read.js === undefined} ${types}` : `${read.path} ${types}`;
      if (visited.has(key)) continue;
      visited.add(key);
      visit(read, one);
    }
  }
  return visited.size;
}

/** Gives results names, by which values are encoded. */
function namedFields(fields: readonly Field[]): readonly Field[] {
  return fields.map((field, i) => (field.name === "" ? { ...field, name: `result ${i}` } : field));
}

function formsIn(values: Readonly<Record<string, PairedValue>>): Record<string, FormValue> {
  return Object.fromEntries(Object.entries(values).map(([name, { form }]) => [name, form]));
}

/** Returns values by name without the lengths of Cairo 0 arrays, as forms and as starknet.js has them. */
function shownOf(fields: readonly Field[], values: readonly Decoded[]) {
  const shown = values.filter((_, i) => !isLength(fields[i] as Field, fields[i + 1]));
  return {
    forms: Object.fromEntries(shown.map((value) => [value.name, formOf(value)])),
    plain: Object.fromEntries(shown.map((value) => [value.name, plainDecoded(value)])),
  };
}

function decodedForms(abi: Abi, fields: readonly Field[], felts: readonly string[]) {
  const { values, rest, problem } = decodeFelts(abi, fields, felts);
  return { rest, problem, ...shownOf(fields, values) };
}

classesTest(
  "every ABI of the fixtures is read without problems",
  () => {
    const problems = abis().flatMap(({ path, abi }) =>
      abi.problems.map((one) => `${path}: ${one}`),
    );
    expect(problems).toEqual([]);
    expect(abis().length).toBeGreaterThan(130);
  },
  TIMEOUT_MS,
);

classesTest(
  "calldata of every function decodes to the values that were encoded, as starknet.js encodes them",
  () => {
    const count = eachFunction(
      ({ inputs }) => inputs,
      ({ abi, js }, { name, inputs }) => {
        const isComparable =
          js !== undefined &&
          !inputs.some(({ type }) => UNKNOWN_TO_ORACLE.test(type)) &&
          // starknet.js takes every parameter with such a name for the length of an array that it adds itself.
          !inputs.some(
            (field, i) => /_(len|size)$/.test(field.name) && !isPointer(inputs[i + 1]),
          ) &&
          !/^__(l1_)?default__$/.test(name);
        assertProperty(
          fc.property(argumentsOf(abi, { inputs }), (values) => {
            const forms = formsIn(values);
            const felts = encodeValues(abi, inputs, forms);
            expect(decodedForms(abi, inputs, felts)).toMatchObject({
              rest: [],
              problem: null,
              forms,
            });
            if (!isComparable) return;
            const theirs = js.compile(
              name,
              Object.fromEntries(
                Object.entries(values).map(([key, one]) => [key, one.js]),
              ) as never,
            );
            expect(felts).toEqual(theirs.map((felt) => `0x${BigInt(felt).toString(16)}`));
          }),
          SIZE,
        );
      },
    );
    expect(count).toBeGreaterThan(300);
  },
  TIMEOUT_MS,
);

classesTest(
  "results of every function decode to the values that were encoded, and as starknet.js decodes them",
  () => {
    const count = eachFunction(
      ({ outputs }) => outputs,
      ({ abi, js }, { name, outputs }) => {
        const fields = namedFields(outputs);
        const isCairo0 = outputs.some((output) => output.name !== "");
        const isComparable =
          js !== undefined &&
          outputs.length > 0 &&
          // starknet.js decodes u384 as its limbs, points on curves as one number, and the Cairo 0 arrays with a `_size` as empty.
          !outputs.some(
            ({ name: field, type }) => field.endsWith("_size") || /u384|Secp256k1Point/.test(type),
          );
        assertProperty(
          fc.property(argumentsOf(abi, { inputs: fields }), (values) => {
            const forms = formsIn(values);
            const felts = encodeValues(abi, fields, forms);
            const decoded = decodedForms(abi, fields, felts);
            expect(decoded).toMatchObject({ rest: [], problem: null, forms });
            if (!isComparable) return;
            const ours = isCairo0 ? decoded.plain : Object.values(decoded.plain)[0];
            expect(ours).toEqual(withoutLengths(plainOf(js.parse(name, [...felts])), isCairo0));
          }),
          SIZE,
        );
      },
    );
    expect(count).toBeGreaterThan(100);
  },
  TIMEOUT_MS,
);

classesTest(
  "every event decodes to the values that were encoded, and as starknet.js decodes them",
  () => {
    let count = 0;
    for (const { abi, entries, js } of abis()) {
      for (const event of abi.events) {
        const fields = [...event.keys, ...event.data];
        const values = fc.tuple(
          argumentsOf(abi, { inputs: event.keys }),
          argumentsOf(abi, { inputs: event.data }),
        );
        // starknet.js does not read the events of the first Cairo 1 compilers.
        const isComparable = js !== undefined && !hasInputs(entries, event);
        count++;
        assertProperty(
          fc.property(values, ([keys, data]) => {
            const forms = { ...formsIn(keys), ...formsIn(data) };
            const inKeys = [...event.selectors, ...encodeValues(abi, event.keys, forms)];
            const inData = encodeValues(abi, event.data, forms);
            const named = namedEvent(abi, inKeys, inData);
            expect(named).toMatchObject({ path: event.path, problem: null, rest: [] });
            const decoded = shownOf(fields, named?.values ?? []);
            expect(decoded.forms).toEqual(forms);
            if (!isComparable) return;
            const theirs = parsedEvent(entries, event, inKeys, inData);
            expect(theirs).toEqual(decoded.plain);
          }),
          SIZE,
        );
      }
    }
    expect(count).toBeGreaterThan(200);
  },
  TIMEOUT_MS,
);

function hasInputs(entries: JsAbi, { path }: AbiEvent): boolean {
  return entries.some(
    (entry) => entry.type === "event" && entry.name === path && "inputs" in entry,
  );
}

function isPointer(field: Field | undefined): boolean {
  return field?.type.endsWith("*") === true;
}

/** Drops the lengths of Cairo 0 arrays. */
function withoutLengths(value: unknown, isCairo0: boolean): unknown {
  if (!isCairo0 || typeof value !== "object" || value === null) return value;
  const names = new Set(Object.keys(value));
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name]) => !(name.endsWith("_len") && names.has(name.slice(0, -4))),
    ),
  );
}

/** Values of an event by name, as starknet.js decodes them. */
function parsedEvent(
  entries: JsAbi,
  { path, name }: AbiEvent,
  keys: readonly string[],
  data: readonly string[],
): unknown {
  const [parsed] = events.parseEvents(
    [{ keys: [...keys], data: [...data], from_address: "0x1" }] as never,
    events.getAbiEvents(entries),
    CallData.getAbiStruct(entries),
    CallData.getAbiEnum(entries),
    createAbiParser(entries),
  );
  const found = Object.entries(parsed ?? {}).find(([key]) => key === path || key === name);
  return withoutLengths(plainOf(found?.[1]), true);
}
