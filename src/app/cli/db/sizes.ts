const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Formats a size for display: 1536 is `1.5 KiB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
