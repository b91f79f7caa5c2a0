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
  const move = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = keys[(keys.indexOf(selected) + step + keys.length) % keys.length];
    if (next === undefined) return;
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
          tabIndex={key === selected ? 0 : -1}
          onClick={() => setQuery("tab", key)}
        >
          {names[key]}
        </button>
      ))}
    </div>
  );
}
