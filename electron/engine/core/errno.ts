/** `code` of a Node system error, or null. */
export function errnoCode(failure: unknown): string | null {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : null
}
