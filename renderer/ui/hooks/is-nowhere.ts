/** Whether nothing has the keyboard’s focus, for example because the element that had it is gone. */
export function isNowhere(active: Element | null): boolean {
  return active === null || active === document.body
}
