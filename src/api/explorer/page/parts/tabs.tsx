import { setQuery } from "../state/route.ts";

/** Tabs of a view; the address keeps the selected one. */
export function Tabs({
  names,
  selected,
}: {
  /** Key in the address, and text. */
  readonly names: Readonly<Record<string, string>>;
  readonly selected: string;
}) {
  const keys = Object.keys(names);
  // The address may name a tab that this view does not have: the first one is then reached by Tab.
  const entry = keys.includes(selected) ? selected : keys[0];
  const move = (event: KeyboardEvent): void => {
    const position = Math.max(0, keys.indexOf(selected));
    const positions: Readonly<Record<string, number>> = {
      ArrowRight: position + 1,
      ArrowLeft: position - 1,
      Home: 0,
      End: -1,
    };
    const target = positions[event.key];
    if (target === undefined) return;
    const next = keys[(target + keys.length) % keys.length];
    if (next === undefined) return;
    event.preventDefault();
    setQuery("tab", next);
    queueMicrotask(() =>
      document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus(),
    );
  };
  return (
    <div class="tabs" role="tablist" onKeyDown={move}>
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={key === selected ? "true" : "false"}
          tabIndex={key === entry ? 0 : -1}
          onClick={() => setQuery("tab", key)}
        >
          {names[key]}
        </button>
      ))}
    </div>
  );
}
