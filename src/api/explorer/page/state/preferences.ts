import { Store } from "./store.ts";

/** Colours of the page; `system` follows the browser. */
export type Theme = "system" | "dark" | "light";

/** How times are shown. */
export type TimeZone = "local" | "utc";

/** Colours that the user has chosen; `system` if none. */
export const theme = new Store<Theme>(read("theme", ["system", "dark", "light"]));
/** Zone of displayed times that the user has chosen; `local` if none. */
export const timeZone = new Store<TimeZone>(read("time-zone", ["local", "utc"]));

/**
 * Applies the chosen colours to the page now and after each change, and stores changed preferences in this
 * browser. Called once, when the page starts.
 */
export function followPreferences(): void {
  const light = globalThis.matchMedia("(prefers-color-scheme: light)");
  const apply = (): void => {
    const ofSystem = light.matches ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme.value === "system" ? ofSystem : theme.value;
    write("theme", theme.value);
  };
  apply();
  light.addEventListener("change", apply);
  theme.observe(apply);
  timeZone.observe(() => write("time-zone", timeZone.value));
}

function read<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
  try {
    const stored = globalThis.localStorage?.getItem(`appchain.${name}`);
    return choices.find((choice) => choice === stored) ?? choices[0];
  } catch {
    return choices[0];
  }
}

function write(name: string, value: string): void {
  try {
    globalThis.localStorage.setItem(`appchain.${name}`, value);
  } catch {
    // A browser that stores nothing keeps the choice until the page is closed.
  }
}
