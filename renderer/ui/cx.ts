/** Joins the class names that apply. */
export function cx(...names: readonly (string | undefined | false)[]): string {
  return names.filter((name) => name !== undefined && name !== false).join(' ')
}
