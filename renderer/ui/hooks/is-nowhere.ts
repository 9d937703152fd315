/** Whether an active element means that nothing has the keyboard’s focus: what had it may be gone. */
export function isNowhere(active: Element | null): boolean {
  return active === null || active === document.body
}
