/** The `data-<name>` of the element under the pointer, or of one around it. */
export function markOf(under: EventTarget | null, name: 'drop' | 'place' | 'zone'): string | null {
  const marked = under instanceof Element ? under.closest<HTMLElement>(`[data-${name}]`) : null
  return marked?.dataset[name] ?? null
}
