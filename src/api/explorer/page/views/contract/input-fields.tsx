import type { Abi } from "../../abi/model.ts";
import { isLengthOf } from "../../abi/encode.ts";
import { exampleOf } from "../../abi/example.ts";
import type { Field } from "../../abi/read-entry.ts";
import { typeNameOf } from "../../abi/type-name.ts";
import { visibleText } from "../../decode/visible-text.ts";
import { formText } from "../../parts/form-text.ts";

/** One input for each parameter; those that are no single number or text take JSON. */
export function InputFields({
  fields,
  abi,
}: {
  readonly fields: readonly Field[];
  readonly abi: Abi;
}) {
  return (
    <>
      {enteredFields(fields).map(({ name, type }) => (
        <label key={name} class="field">
          <span>
            {visibleText(name, 100)}: {visibleText(type, 200)}
          </span>
          <input
            name={name}
            placeholder={visibleText(exampleOf(abi, typeNameOf(type)), 200)}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
      ))}
    </>
  );
}

/** Returns the texts of a form by parameter. */
export function formValues(
  form: HTMLFormElement,
  fields: readonly Field[],
): Readonly<Record<string, string>> {
  const data = new FormData(form);
  return Object.fromEntries(enteredFields(fields).map(({ name }) => [name, formText(data, name)]));
}

/** Returns the parameters without the lengths of Cairo 0 arrays, which follow from the arrays. */
function enteredFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter((field, i) => {
    const next = fields[i + 1];
    return next === undefined || !isLengthOf(field, next);
  });
}
