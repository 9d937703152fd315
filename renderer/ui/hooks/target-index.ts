/** The row that a key leads to; null for keys that don't move. Pure. */
export function targetIndex(key: string, index: number, count: number, page: number): number | null {
  const clamp = (next: number) => Math.min(count - 1, Math.max(0, next))
  switch (key) {
    case 'ArrowUp':
      return clamp(index - 1)
    case 'ArrowDown':
      return clamp(index + 1)
    case 'PageUp':
      return clamp(index - page)
    case 'PageDown':
      return clamp(index + page)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
