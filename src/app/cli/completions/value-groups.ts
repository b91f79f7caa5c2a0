import { type CompletedOption, namesOf, type ValueCompletion } from "./place.ts";

/** Options whose values are completed in the same way. */
export interface ValueGroup {
  readonly names: readonly string[];
  readonly value: ValueCompletion;
}

/** The options with a value, by the completion of the value. */
export function valueGroups(options: readonly CompletedOption[]): readonly ValueGroup[] {
  const groups = new Map<string, { names: string[]; value: ValueCompletion }>();
  for (const option of options) {
    if (option.value === undefined) continue;
    const key = JSON.stringify(option.value);
    const group = groups.get(key) ?? { names: [], value: option.value };
    groups.set(key, group);
    group.names.push(...namesOf(option));
  }
  return [...groups.values()];
}
