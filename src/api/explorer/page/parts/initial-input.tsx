import { useEffect, useRef } from "hono/jsx/dom";

/** Text field with a first value, which the user edits: hono/jsx/dom has no `defaultValue`. */
export function InitialInput({
  name,
  initial,
}: {
  readonly name: string;
  readonly initial: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.value = initial;
  }, [initial]);
  return <input ref={input} name={name} autocomplete="off" spellcheck={false} />;
}
