/** Waits for all, and tells why some of it failed. */
export async function thrownBy(work: readonly Promise<void>[]): Promise<readonly unknown[]> {
  const results = await Promise.allSettled(work)
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
}
