import { useEffect, useState, useSyncExternalStore } from 'react'

const SECOND_MS = 1000

/** Wall-clock time to the second while `isActive`, for countdowns; 0 otherwise. */
export function useSeconds(isActive: boolean): number {
  return useSyncExternalStore(isActive ? everySecond : never, () =>
    isActive ? Math.floor(Date.now() / SECOND_MS) * SECOND_MS : 0,
  )
}

/** Pauses while the window isn't visible, and is right again as soon as it is. */
function everySecond(onChange: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  function follow(): void {
    clearInterval(timer)
    if (document.hidden) return
    timer = setInterval(onChange, SECOND_MS / 2)
    onChange()
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', follow)
  }
}

function never(): () => void {
  return () => undefined
}

/** True once `isOn` has been true for `durationMs` without a break. */
export function useHasLasted(isOn: boolean, durationMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => {
      setHasLasted(true)
    }, durationMs)
    return () => {
      clearTimeout(timer)
      setHasLasted(false)
    }
  }, [isOn, durationMs])
  return hasLasted
}
