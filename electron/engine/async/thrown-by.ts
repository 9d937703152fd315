/** Waits for all, and returns the reasons of those that failed. */
export async function thrownBy(work: readonly Promise<void>[]): Promise<readonly unknown[]> {
  const results = await Promise.allSettled(work)
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
}
