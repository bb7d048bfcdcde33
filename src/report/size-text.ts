const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes for people, in powers of 1024: `812 B`, `3.4 MB`, `118 GB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
