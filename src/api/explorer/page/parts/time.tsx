import { useEffect, useState } from "hono/jsx/dom";
import { ageText, timeText } from "../decode/times.ts";
import { Store, useStore } from "../state/store.ts";
import { timeZone } from "../state/preferences.ts";

/** Current time in milliseconds, to the second; one timer for the whole page. */
const now = new Store(Date.now());
let isTicking = false;

/** Returns the text of an age, and renders again only when it changes: lists have hundreds. */
function useAge(unixMs: number): string {
  const textNow = (): string => ageText(toSeconds(now.value - unixMs));
  const [, setShown] = useState("");
  useEffect(() => {
    if (!isTicking) setInterval(() => now.set(Date.now()), 1_000);
    isTicking = true;
    return now.observe(() => setShown(textNow()));
  }, [unixMs]);
  return textNow();
}

/** Time since a timestamp, such as `12 s ago`; the title has the time itself. */
export function Age({ unixMs }: { readonly unixMs: number }) {
  return <time title={timeText(unixMs, useStore(timeZone))}>{useAge(unixMs)}</time>;
}

/** A timestamp, with its age. */
export function Time({ unixMs }: { readonly unixMs: number }) {
  const zone = useStore(timeZone);
  return (
    <span>
      <time dateTime={new Date(unixMs).toISOString()}>{timeText(unixMs, zone)}</time>{" "}
      <span class="muted">
        (<Age unixMs={unixMs} />)
      </span>
    </span>
  );
}

/** Button that switches all times between local time and UTC. */
export function TimeZoneSwitch() {
  const zone = useStore(timeZone);
  return (
    <button
      type="button"
      class="quiet"
      title="Zone of the shown times"
      onClick={() => timeZone.set(zone === "utc" ? "local" : "utc")}
    >
      {zone === "utc" ? "UTC" : "Local time"}
    </button>
  );
}

/** Rounds to seconds, in which the page counts. */
function toSeconds(ms: number): number {
  return Math.round(ms / 1_000) * 1_000;
}
