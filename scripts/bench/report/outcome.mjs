const MIB = 1024 * 1024

/** What is printed about one run as soon as it is over. */
export function outcomeOf({ failure, seconds, cpuSeconds, againBytes, slowdown }) {
  const parts = [
    `${seconds.toFixed(2)} s`,
    Number.isFinite(cpuSeconds) ? `${cpuSeconds.toFixed(2)} CPU s` : '',
    againBytes === undefined ? '' : `${(againBytes / MIB).toFixed(1)} MiB twice`,
    slowdown === undefined ? '' : `${slowdown.toFixed(2)} × its undisturbed time`,
    failure ?? '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
