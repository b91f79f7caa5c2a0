/** Paths of the icons, drawn as lines of 24 by 24 units. */
const PATHS = {
  overview: "M4 4h7v9H4z M13 4h7v5h-7z M13 11h7v9h-7z M4 15h7v5H4z",
  blocks: "M12 3l8 4.5v9L12 21l-8-4.5v-9z M12 12l8-4.5 M12 12v9 M12 12L4 7.5",
  transactions: "M4 8h15l-4-4 M20 16H5l4 4",
  waiting: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z M12 7v5l3 2",
  rejected: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z M9 9l6 6 M15 9l-6 6",
  classes: "M8 7l-5 5 5 5 M16 7l5 5-5 5 M14 4l-4 16",
  labels: "M3 3h8l10 10-8 8L3 11z M7.5 7.5h.01",
  control: "M4 7h9 M19 7h1 M16 4v6 M4 17h3 M13 17h7 M10 14v6",
  search: "M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14z M20 20l-4-4",
} as const;

/** Name of an icon. */
export type IconName = keyof typeof PATHS;

/** Icon beside a text that says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
