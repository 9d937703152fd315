import { afterEach, beforeEach } from 'vitest'
import { uiStore } from '../../renderer/state/ui/ui-store.ts'

/**
 * Each test of the file finds the window as it begins, and leaves it so: the files of a process share the window's
 * stores, and what one sets would filter the rows of the next.
 */
export function beginWithFreshUi(): void {
  const reset = () => uiStore.setState(uiStore.getInitialState(), true)
  beforeEach(reset)
  afterEach(reset)
}
