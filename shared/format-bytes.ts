/** Bytes in decimal units with at most three significant digits, in English: for the command line and logs. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? String(Math.round(value)) : Number(value.toPrecision(3))} ${units[unit] ?? ''}`
}
