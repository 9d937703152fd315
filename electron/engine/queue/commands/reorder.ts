/** Something with a position in the queue. */
export interface Positioned {
  readonly id: string
  readonly position: number
}

/** Two positions closer than this leave no room for others between them. */
const CLOSEST = 2 ** -20

/**
 * New positions that bring `moved` together, in their present order, right before `before`, or to the end if that is
 * null. Usually only the moved ones get new positions; if there is no room in between, all do. `queue` is in order.
 * Pure.
 */
export function reorder(
  queue: readonly Positioned[],
  moved: ReadonlySet<string>,
  before: string | null,
): ReadonlyMap<string, number> {
  const movers = queue.filter(({ id }) => moved.has(id))
  const others = queue.filter(({ id }) => !moved.has(id))
  if (movers.length === 0) return new Map()
  const at = targetAt(queue, others, before)
  const low = others[at - 1]?.position ?? null
  const high = others[at]?.position ?? null
  const step = low !== null && high !== null ? (high - low) / (movers.length + 1) : 1
  if (step < CLOSEST) {
    const all = [...others.slice(0, at), ...movers, ...others.slice(at)]
    return new Map(all.map(({ id }, index) => [id, index + 1]))
  }
  const first = low !== null ? low + step : (high ?? movers.length + 1) - step * movers.length
  return new Map(movers.map(({ id }, index) => [id, first + step * index]))
}

/** The index among the others of the first that follows `before`, which may itself be one that moves. */
function targetAt(queue: readonly Positioned[], others: readonly Positioned[], before: string | null): number {
  const from = before === null ? -1 : queue.findIndex(({ id }) => id === before)
  if (from < 0) return others.length
  const stays = new Set(others.map(({ id }) => id))
  const next = queue.slice(from).find(({ id }) => stays.has(id))
  return next === undefined ? others.length : others.findIndex(({ id }) => id === next.id)
}
